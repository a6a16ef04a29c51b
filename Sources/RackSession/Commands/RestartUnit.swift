struct RestartUnit: Command {
  var unit = ""

  static let declaration = CommandDeclaration(
    "restart", "Restart the process of a unit.",
    detail: "Also if the unit was given up after repeated crashes.", lane: .gesture)
  static let arguments: [CommandArgument<Self>] = [
    .required("unit", \.unit, .unit, "A unit that runs in a process of its own.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    try await session.engine.restartProcess(of: unit)
    return .done("\(unit) is restarted")
  }
}
