import Documents

/// The command that records the moves of parameters while JACK's transport rolls.
struct Automate: Command {
  var action = Action.start
  var file: String?

  enum Action: String, CaseIterable { case start, stop, load }

  static let declaration = CommandDeclaration(
    "automate", "Record the moves of parameters while JACK's transport rolls.",
    detail: """
      `start` names the file, which must not exist yet; `stop` writes it, elsewhere if it names \
      another. `load` does the same as `automation`.
      """,
    examples: [
      "automate start --out moves.yaml", "automate stop", "automate load moves.yaml",
    ])
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "action", \.action, .choice(Action.allCases.map(\.rawValue)), "start, stop or load."
    ) { Action(rawValue: $0) ?? .start },
    CommandArgument.option(
      "file", \.file, .path, "The file, which start and stop create and load plays.", label: "out"
    ).withOptionalLabel(),
  ]

  func validate() throws(Refusal) {
    if action != .stop, file == nil { throw Refusal("“automate” needs “file”") }
  }

  func lane(in session: isolated RackSession) -> CommandLane { action == .load ? .turn : .gesture }

  func access(in session: isolated RackSession) -> Access { file == nil ? .edit : .files }

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    switch action {
    case .start: .done(try await session.engine.startMoves(file: file ?? ""))
    case .stop: .done(try await session.engine.stopMoves(file: file))
    case .load: try await LoadAutomation(file: file ?? "").run(in: session, from: peer)
    }
  }
}
