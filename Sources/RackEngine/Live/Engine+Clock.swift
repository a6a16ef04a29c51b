import CJack

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
  var rampFrames: Int { Int(snapshot.sampleRate * 0.005) + 1 }
}

extension JackClient {
  /// Frames of the kernel's time, modulo 2^32, as JACK's clock has them, and when; nil until a graph
  /// plays, and once it is closed.
  var frameNow: (frame: UInt32, instant: ContinuousClock.Instant)? {
    guard let origin else { return nil }
    var best: (frame: UInt32, instant: ContinuousClock.Instant, span: Duration)?
    // A thread may be held up between looking at the one clock and at the other.
    for _ in 0..<5 {
      let before = ContinuousClock.now
      let frame = library.pointee.jack_frame_time(jack)
      let span = before.duration(to: .now)
      if best.map({ span < $0.span }) ?? true {
        best = (frame &- origin, before + span / 2, span)
      }
    }
    return best.map { ($0.frame, $0.instant) }
  }
}
