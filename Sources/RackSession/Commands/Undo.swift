import Documents

struct Undo: Command {
  static let declaration = CommandDeclaration(
    "undo", "Undo the last step.",
    detail: """
      A thousand steps are kept. Several sets of one parameter, each within a second of the one before, \
      are one step.
      """)

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.step(back: true))
  }
}

struct Redo: Command {
  static let declaration = CommandDeclaration(
    "redo", "Redo the step that was undone last.")

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    .done(try await session.step(back: false))
  }
}

extension RackSession {
  /// Undoes the last step, or redoes the step undone last; returns a description.
  ///
  /// - Throws: `Refusal` if there is no such step.
  fileprivate func step(back: Bool) async throws -> String {
    guard let entry = back ? history.last : history.next else {
      throw Refusal("there is nothing to \(back ? "undo" : "redo")")
    }
    let start = sceneStart
    switch entry.step {
    case .values(let values):
      for value in values {
        try await apply(back ? value.before : value.after, to: value.path)
      }
    case .rack(let step):
      let (present, target) = back ? (step.after, step.before) : (step.before, step.after)
      try await go(
        from: step.setsAllValues
          ? rack.withValues(of: await engine.namedUnits, includingLanes: true) : renewed(present),
        to: renewed(target))
      await showSong(back ? step.songs?.before : step.songs?.after)
    }
    if let former = entry.sceneStart { sceneStart = former }
    if back { history.stepBack(from: start) } else { history.stepForward(from: start) }
    return "\(back ? "undone" : "redone"): \(entry.title)"
  }
}
