import RackModel

/// The command that plays another rack in place of the present one.
struct LoadRack: Command {
  /// The path or the name of the rack.
  var rack = ""

  static let declaration = CommandDeclaration(
    "load", "Play another rack in the place of this one.",
    detail: "The JACK client keeps its name, and the units that both racks have play on.")
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "rack", \.rack, .rack, "A rack file, or the name of a rack that comes with Backline.")
  ]

  func access(in session: isolated RackSession) -> Access {
    rack.contains { "/.".contains($0) } ? .files : .edit
  }

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    var read = try await session.readRack(rack)
    let saved = session.writesBack ? await session.savedOrCopied() : nil
    // Reads again: this may be the file that was just written.
    if saved != nil { read = try await session.readRack(rack) }
    await session.report(read.warnings)
    let done = try await session.play(read.rack, title: "\(read.rack.plan.name) loaded")
    return .done([done, saved].compactMap(\.self).joined(separator: "; "))
  }
}

/// The command that plays the present file of the rack, with the file's values.
package struct ReloadRack: Command {
  package init() {}

  package static let declaration = CommandDeclaration(
    "reload", "Read the rack's file again and play it as it is written, values and all.")

  package func run(
    in session: isolated RackSession, from peer: Peer?
  ) async throws -> Answer {
    .done(try await session.reload())
  }
}
