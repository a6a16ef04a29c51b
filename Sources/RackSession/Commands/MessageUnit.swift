/// The command that sends a message of a unit's view to the unit; the answer is the unit's reply.
struct MessageUnit: Command {
  var unit = ""
  var channel = ""
  var message = ""

  static let declaration = CommandDeclaration(
    "message", "Send a message of a unit's view to the unit; the answer is the unit's reply.",
    lane: .question, isSlow: true)
  static let arguments: [CommandArgument<Self>] = [
    .required("unit", \.unit, .unit, "The unit's name."),
    .required("channel", \.channel, .text, "The unit's channel."),
    .required("message", \.message, .text, "The message, up to 4095 bytes."),
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .text(try await session.send(message: message, channel: channel, to: unit))
  }
}
