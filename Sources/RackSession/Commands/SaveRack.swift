/// The command that writes the present rack into its file, or a copy into another file.
package struct SaveRack: Command, Equatable {
  /// The absolute path of a copy; nil for the rack's own file.
  package var path: String?
  /// Whether to write even if the file was changed since it was read, or the copy exists already.
  package var force: Bool?
  /// Whether to write the present JACK connections of the ports as their `connect`.
  package var connections: Bool?

  package init() {}

  package init(path: String?, force: Bool? = nil) { (self.path, self.force) = (path, force) }

  package static let declaration = CommandDeclaration(
    "save", "Write the rack as it is now into its file, or a copy into another.",
    detail: "Comments, order and everything unchanged stay as they are written.")
  package static let arguments: [CommandArgument<Self>] = [
    .optional("path", \.path, .path, "Where to write a copy."),
    .flag(
      "force", \.force,
      "Write even if the file was changed since it was read, or the copy exists already."),
    .flag(
      "connections", \.connections,
      "Also write the present JACK connections of its ports, as the file's “connect”."),
  ]

  package func access(in session: isolated RackSession) -> Access {
    path == nil ? .edit : .files
  }

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    let revision = session.revision
    return .saved(try await session.save(self), revision: revision)
  }
}
