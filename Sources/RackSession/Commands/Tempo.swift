struct SetTempo: Command {
  var value: String?

  static let declaration = CommandDeclaration(
    "tempo", "Set the tempo, or print it.", lane: .gesture, access: .stage)
  static let arguments: [CommandArgument<Self>] = [
    .optional("value", \.value, .value, "Beats per minute: 120, 97.5 bpm.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    if let value { return .done(try await session.engine.setTempo(value)) }
    return .done(await session.engine.tempoText())
  }
}

struct TapTempo: Command {
  static let declaration = CommandDeclaration(
    "tap", "Tap the tempo; the second tap sets it.", lane: .gesture, access: .stage)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.engine.tap())
  }
}
