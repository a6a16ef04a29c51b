import RackModel

/// The command that sets a parameter or a bypass to its default.
struct ResetParameter: Command {
  var parameter = ""

  static let declaration = CommandDeclaration(
    "reset", "Set a parameter or a bypass to its default.",
    detail: "The default is the unit's, not the preset's.", lane: .gesture)
  static let arguments: [CommandArgument<Self>] = [
    .required("parameter", \.parameter, .parameter, "The parameter, as in echo.mix.")
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let path = try ParameterPath(parameter)
    let found = try session.find(path)
    try found.checkWritable()
    let value = found.info.defaultValue
    try await session.apply(value, to: path)
    let title = "\(found.title(of: value)), the default"
    session.addStep(found, value, title: title)
    return .done(title)
  }
}
