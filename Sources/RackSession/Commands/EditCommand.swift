import Documents
import RackModel

/// A command that edits the rack's file as a value, which is one step to undo.
protocol EditCommand: Command {
  /// `add room, Delay`
  var title: String { get }
  /// - Throws: `Refusal` where it names something unknown, or the rack would be wrong.
  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack
}

extension EditCommand {
  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.apply(self))
  }
}

extension RackSession {
  /// Plays the rack after an edit; returns what was done.
  func apply(
    _ edit: some EditCommand
  ) async throws -> String {
    let before = await present()
    let after = try edit.edit(before, with: RackEditor(checker(rack)))
    return try await change(from: before, to: after, title: edit.title)
  }
}
