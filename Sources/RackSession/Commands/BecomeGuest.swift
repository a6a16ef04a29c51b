/// The command that limits the access of a connection to that of a peer of the network. The transport applies it.
package struct BecomeGuest: Command {
  package var access = Access.edit

  package init() {}

  package static let declaration = CommandDeclaration(
    "guest", "Speak for a peer of the network from now on.",
    detail:
      "The connection may then name no files; with `stage` it only plays. It lasts as long as the connection.",
    lane: .question, access: .stage)
  package static let arguments: [CommandArgument<Self>] = [
    .option(
      "access", \.access, .choice([Access.stage, .edit].map(\.rawValue)),
      "stage or edit; edit if not given."
    ) { Access(rawValue: $0) ?? .stage }
  ]

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    .done(access == .stage ? "a guest, who plays" : "a guest, who names no files")
  }
}
