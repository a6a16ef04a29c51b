import Documents

/// The command that subscribes a peer to events. The transport carries it out.
package struct Subscribe: Command {
  /// The rate of meters, in Hz; nil for no meters.
  package var meters: Double?
  /// Whether to send the messages of the rack's MIDI inputs.
  package var midi: Bool?
  /// The destination UDP port of OSC messages; nil for the sender's.
  package var port: UInt16?

  package init() {}

  package static let declaration = CommandDeclaration(
    "subscribe", "Receive events from now on.",
    detail: "It replaces an earlier subscription of the same peer.", lane: .question, access: .stage
  )
  package static let arguments: [CommandArgument<Self>] = [
    .option("meters", \.meters, .text, "Also the meters, 0.1 to 50 times a second.") { text in
      if Double(text) == 0 { return nil }
      guard let rate = Double(text), (0.1...50).contains(rate) else {
        throw Refusal("“meters” must be 0.1 to 50 times a second, not “\(text)”")
      }
      return rate
    },
    .option("port", \.port, .text, "Over OSC: their destination port, if not the sender's.") {
      try Commands.port($0)
    },
    .flag("midi", \.midi, "Over the socket: also the messages that arrive at the MIDI inputs."),
  ]

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    .done("subscribed")
  }
}

package struct Unsubscribe: Command {
  /// The destination UDP port of the subscription; nil for the sender's.
  package var port: UInt16?

  package init() {}

  package static let declaration = CommandDeclaration(
    "unsubscribe", "Receive no more events.", lane: .question, access: .stage)
  package static let arguments: [CommandArgument<Self>] = [
    .option(
      "port", \.port, .text, "Over OSC: the port of the subscription, if not the sender's."
    ) { try Commands.port($0) }
  ]

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    .done("unsubscribed")
  }
}

struct WatchSignals: Command {
  var signals = ""

  static let declaration = CommandDeclaration(
    "watch", "Receive what signals of units show, 30 times a second, and nothing of others.",
    detail: "It lasts as long as the subscription.", lane: .question, access: .stage)
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "signals", \.signals, .text,
      "The signals, with spaces between: UNIT.input or UNIT.output with .scope, .spectrum or .tuner, or"
        + " an array that the unit shows; empty for none.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let signals = signals.split(separator: " ").map(String.init)
    if let peer { try session.watch(signals, for: peer) }
    return .done(
      signals.isEmpty ? "watching nothing" : "watching \(signals.joined(separator: ", "))")
  }
}

extension Commands {
  fileprivate static func port(_ text: String) throws -> UInt16 {
    // OSC programs send numbers as floats, too.
    guard let port = Double(text).flatMap({ UInt16(exactly: $0) }), port > 0 else {
      throw Refusal("“port” must be 1 to 65535, not “\(text)”")
    }
    return port
  }
}
