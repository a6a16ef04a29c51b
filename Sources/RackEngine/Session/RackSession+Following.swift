import RackModel

extension RackSession {
  /// Plays a rack file as it is now in the place of what it was when it was read before: what is
  /// written otherwise, and nothing else. Units that both have alike keep the values that they have
  /// now, whatever has set them.
  ///
  /// - Throws: an error that says why not; then all is as before.
  public func follow(_ file: CheckedRack, readBefore former: CheckedRack) async throws {
    try await inTurn { try await take(file, readBefore: former) }
  }

  /// The same within a turn.
  func take(_ file: CheckedRack, readBefore former: CheckedRack) async throws {
    var source = former
    for entry in file.file.units {
      let place = source.file.units.firstIndex { $0.name.value == entry.name.value }
      if let place, source.file.units[place].isWrittenLike(entry) {
        source.file.units[place] = entry
      }
    }
    let before = rack.taking(await engine.namedUnits)
    try await go(from: source, to: file, renamed: nil, isTold: true)
    let after = rack.taking(await engine.namedUnits)
    history.add(
      .rack(History.RackStep(before: before, after: after, renamed: nil)),
      title: "read the file")
  }
}
