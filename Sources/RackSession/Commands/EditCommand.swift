import Documents
import RackModel

/// A command that edits the rack file as a value, as one step to undo.
protocol EditCommand: Command {
  /// Returns the title of the step to undo, for the edited rack: `Delay added as room after echo`.
  func title(in rack: CheckedRack) -> String
  /// Returns the edited rack.
  ///
  /// - Throws: `Refusal` if the command names something unknown, or the new rack would have errors.
  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack
}

extension EditCommand {
  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.apply(self))
  }
}

extension RackSession {
  /// Plays the rack after an edit; returns the title of the edit.
  func apply(
    _ edit: some EditCommand
  ) async throws -> String {
    let before = await present()
    let after = try edit.edit(before, with: RackEditor(checker(rack)))
    return try await change(from: before, to: after, title: edit.title(in: after))
  }
}
