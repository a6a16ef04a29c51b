import JackIO

/// Where the rack's frames lie in time.
public struct EngineClock: Sendable {
  /// A frame of the units' timestamps, and when JACK's clock is there.
  let frame: Int64
  let instant: ContinuousClock.Instant
  /// Hz
  let sampleRate: Double

  /// The frame at an instant; what JACK plays in the meantime has begun before.
  public func sampleTime(at instant: ContinuousClock.Instant) -> Int64 {
    frame + Int64(((instant - self.instant) / .seconds(1) * sampleRate).rounded())
  }
}

extension Engine {
  /// The rack's frames as JACK's clock has them now; good for a few seconds, and until the next xrun,
  /// by which they come later. Nil where nothing plays.
  public func clock() async -> EngineClock? {
    guard !snapshot.serverIsAway, let now = await session.client.frameNow else { return nil }
    takeReports()
    // JACK counts in 32 bits.
    let ahead = Int32(bitPattern: now.frame &- UInt32(truncatingIfNeeded: snapshot.sampleTime))
    return EngineClock(
      frame: snapshot.sampleTime + Int64(ahead), instant: now.instant,
      sampleRate: snapshot.sampleRate)
  }
}

extension Engine {
  /// How long a parameter takes where it is set at once, as in the kernel. Frames
  package var rampFrames: Int { Int(snapshot.sampleRate * 0.005) + 1 }
}
