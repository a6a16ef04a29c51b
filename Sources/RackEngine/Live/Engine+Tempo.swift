import JackIO
import RackModel
import UnitModel

extension Engine {
  /// Sets the tempo, as long as the rack plays or until another has another; answers it in a few words.
  /// What follows it goes on from the beat that is.
  ///
  /// - Throws: `Refusal` for what is no tempo, and where another client of JACK sets it.
  public func setTempo(_ text: String) throws -> String {
    let tempo = Double(try Quantity.asked(text, for: RackChecker.tempoRange, name: "tempo"))
    try checkTimebase()
    setOwnTempo(tempo)
    return "tempo \(Quantity.format(Float(tempo), for: RackChecker.tempoRange))"
  }

  /// What the tempo is, and whose, in a few words.
  package func tempoText() -> String {
    let (beats, isAnothers) = session.client.tempo
    let tenths = Float((beats * 10).rounded() / 10)
    return
      "tempo \(Quantity.format(tenths, for: RackChecker.tempoRange))\(isAnothers ? ", from JACK's timebase master" : "")"
  }

  /// A tap, now; from the second on it sets the tempo.
  ///
  /// - Throws: `Refusal` where another client of JACK sets it.
  public func tap() throws -> String {
    try checkTimebase()
    let now = ContinuousClock.now - clockStart
    let seconds =
      Double(now.components.seconds) + Double(now.components.attoseconds) / 1e18
    return takeTap(at: seconds).map { "tempo \(Self.text($0))" } ?? "tapped; once more"
  }

  /// `time`: seconds; those of one hand go by one clock.
  @discardableResult
  func takeTap(at time: Double) -> Double? {
    guard let tapped = taps.tap(at: time) else { return nil }
    let range = RackChecker.tempoRange
    let tempo = min(max(tapped, Double(range.minimum)), Double(range.maximum))
    setOwnTempo(tempo)
    return tempo
  }

  private static func text(_ tempo: Double) -> String { "\((tempo * 10).rounded() / 10) bpm" }

  private func checkTimebase() throws {
    if session.client.tempo.isAnothers {
      throw Refusal("another program is JACK's timebase master, and sets the tempo")
    }
  }

  /// Nil for the rack's own.
  func setOwnTempo(_ new: Double?) {
    tempo = new
    session.client.setTempo(new)
  }

  /// Tells a new client the tempo, and JACK that it is ours to set, where that is asked for.
  func settleTempo() async {
    session.client.setTempo(tempo)
    guard takesTimebase else { return }
    let client = session.client
    let isOurs = (try? await Patience.answer { await client.takeTimebase() }) ?? false
    if !isOurs {
      continuation.yield(
        .warning("another program is JACK's timebase master; its tempo is followed"))
    }
  }

  /// Starts JACK's transport, stops it, or moves it to a time, seconds.
  public func startTransport() async throws { try await transport { $0.startTransport() } }
  public func stopTransport() async throws { try await transport { $0.stopTransport() } }
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
    guard !snapshot.serverIsAway else { throw Refusal("the JACK server is away") }
    try await Patience.answer { [client = session.client] in await work(client) }
  }
}
