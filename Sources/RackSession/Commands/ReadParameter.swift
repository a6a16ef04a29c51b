/// The command that returns the value of a parameter.
package struct ReadParameter: Command {
  package var parameter = ""

  package init() {}
  package init(parameter: String) { self.parameter = parameter }

  package static let declaration = CommandDeclaration(
    "get", "The value of a parameter.", lane: .question, access: .stage)
  package static let arguments: [CommandArgument<Self>] = [
    .required("parameter", \.parameter, .parameter, "The parameter, as in echo.mix.")
  ]

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    .reading(try session.reading(of: parameter))
  }
}
