import RackModel

extension RackSession {
  /// Plays the rack's file as it is now in the place of what it was before: what is written
  /// otherwise, and nothing else. Units that both have alike keep the values that they have now,
  /// whatever has set them. What the session has written itself is nothing new.
  ///
  /// - Throws: an error that says why not; then all is as before.
  public func follow(_ file: CheckedRack) async throws {
    try await inTurn {
      let former = records[file.file.file]?.present
      if let former, former.bytes == file.bytes { return }
      try await take(file, readBefore: former ?? rack)
      records[file.file.file] = RackRecord(read: file)
    }
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
