import Dispatch
import Documents
import JackIO
import RackModel
import UnitModel

extension Engine {
  /// Sets the tempo until a rack with another tempo plays; returns a sentence with the tempo. The music goes
  /// on from the present beat.
  ///
  /// - Throws: `Refusal` for a wrong tempo, or if another JACK client sets the tempo.
  public func setTempo(_ text: String) throws -> String {
    let tempo = Double(try Quantity.parse(text, for: RackChecker.tempoRange, name: "tempo"))
    try checkTimebase()
    setOwnTempo(tempo)
    return "tempo \(Quantity.format(Float(tempo), for: RackChecker.tempoRange))"
  }

  /// The tempo in beats per minute, and whether another client sets it; the engine's own while the server is
  /// away.
  var presentTempo: (beats: Double, isForeign: Bool) {
    server.isPlaying ? server.client.tempo : (tempo ?? rack?.plan.tempo ?? 0, false)
  }

  /// The tempo and its source, in a few words.
  package func tempoText() -> String {
    let (beats, isForeign) = presentTempo
    let tenths = Float((beats * 10).rounded() / 10)
    return
      "tempo \(Quantity.format(tenths, for: RackChecker.tempoRange))\(isForeign ? ", from JACK's timebase master" : "")"
  }

  /// Counts a tap now; from the second on, taps set the tempo. Returns a sentence.
  ///
  /// - Throws: `Refusal` if another JACK client sets the tempo.
  public func tap() throws -> String {
    try checkTimebase()
    let seconds = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    return tap(at: seconds).map { "tempo \(Self.text($0))" } ?? "tap once more to set the tempo"
  }

  /// Counts a tap; returns the new tempo in beats per minute, or nil.
  ///
  /// - Parameter time: seconds, by the same clock for all taps in a row.
  @discardableResult
  func tap(at time: Double) -> Double? {
    guard let tapped = taps.tap(at: time) else { return nil }
    let range = RackChecker.tempoRange
    let tempo = min(max(tapped, Double(range.minimum)), Double(range.maximum))
    setOwnTempo(tempo)
    return tempo
  }

  private static func text(_ tempo: Double) -> String { "\((tempo * 10).rounded() / 10) bpm" }

  private func checkTimebase() throws {
    if server.client.tempo.isForeign {
      throw Refusal("another program is JACK's timebase master, and sets the tempo")
    }
  }

  /// Sets the tempo.
  ///
  /// - Parameter new: beats per minute; nil for the rack's own.
  func setOwnTempo(_ new: Double?) {
    tempo = new
    server.client.setTempo(new)
  }

  /// Sets the tempo of a new client, which becomes JACK's timebase master if `takesTimebase` is set.
  func updateTempo() async {
    server.client.setTempo(tempo)
    guard server.takesTimebase else { return }
    let client = server.client
    let isOurs = (try? await JackTimeout.run { await client.becomeTimebaseMaster() }) ?? false
    if !isOurs {
      report(
        .warning("another program is JACK's timebase master; its tempo is followed"))
    }
  }

  /// Starts JACK's transport.
  public func startTransport() async throws { try await transport { $0.startTransport() } }
  /// Stops JACK's transport.
  public func stopTransport() async throws { try await transport { $0.stopTransport() } }
  /// Moves JACK's transport to a time in seconds.
  public func locate(_ seconds: Double) async throws {
    let rate = snapshot.sampleRate
    guard let frame = UInt32(exactly: (seconds * rate).rounded(.down)) else {
      throw Refusal(
        "JACK's transport reaches to \(Int(Double(UInt32.max) / rate)) s at \(Int(rate)) Hz")
    }
    try await transport { $0.locate(frame) }
  }

  private func transport(
    _ work: @escaping @Sendable (isolated JackClient) -> Void
  ) async throws {
    guard server.isPlaying else { throw Refusal("the JACK server is away") }
    try await JackTimeout.run { [client = server.client] in await work(client) }
  }
}

/// The relation of the rack's frames to time.
public struct EngineClock: Sendable {
  /// A frame of the units' timestamps, and its time by JACK's clock.
  let frame: Int64
  let instant: ContinuousClock.Instant
  /// The sample rate, Hz.
  let sampleRate: Double

  /// Returns the frame at an instant; JACK has played the frames before it by then.
  public func sampleTime(at instant: ContinuousClock.Instant) -> Int64 {
    frame + Int64(((instant - self.instant) / .seconds(1) * sampleRate).rounded())
  }
}

extension Engine {
  /// Returns the present clock, valid for a few seconds or until the next xrun, which delays the frames; nil if
  /// nothing plays.
  public func clock() async -> EngineClock? {
    guard server.isPlaying, let now = await server.client.frameNow else { return nil }
    receiveReports()
    // JACK counts in 32 bits.
    let ahead = Int32(bitPattern: now.frame &- UInt32(truncatingIfNeeded: snapshot.sampleTime))
    return EngineClock(
      frame: snapshot.sampleTime + Int64(ahead), instant: now.instant,
      sampleRate: snapshot.sampleRate)
  }
}
