import Documents
import Glibc
import UnitModel

extension PresetLibrary {
  /// Yields once, and then whenever any program has added, changed or removed a preset of the unit.
  /// The stream has one reader.
  public func changes(of component: ComponentDescription) -> AsyncStream<Void> {
    let watcher = watcher(of: component)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        continuation.yield()
        for await _ in watcher.changes { continuation.yield() }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns a watcher of the folders of the unit's presets.
  func watcher(of component: ComponentDescription) -> FolderWatcher {
    FolderWatcher(
      [userFolder, shippedFolder].compactMap(\.self).map { folder(of: component, in: $0) })
  }

  /// Saves a state as a user preset; replaces a user preset of the same name only if `replacing`.
  ///
  /// - Throws: `PresetError`, or `FileError` if it cannot be written; then nothing changes.
  @discardableResult
  package func save(
    _ state: UnitState, as name: String, of facts: UnitFacts, replacing: Bool = false
  ) throws -> Preset {
    try PresetName.check(name)
    return try changing(facts) { folder, listing in
      let present = try own(name, in: listing)
      if present != nil && !replacing { throw PresetError.nameIsTaken(name) }
      var state = state
      state.presetName = name
      state.presetNumber = present?.preset.number ?? listing.nextUserNumber
      let path = present?.path ?? "\(folder)/\(PresetName.fileName(for: name))"
      try WholeFile.write(Array(state.written(for: facts).utf8), to: path)
      return Preset(number: state.presetNumber ?? -1, name: name)
    }
  }

  /// Deletes a user preset.
  package func delete(_ name: String, of facts: UnitFacts) throws {
    try changing(facts) { folder, listing in
      guard let path = try own(name, in: listing)?.path else {
        throw missing(name, facts, listing)
      }
      guard unlink(path) == 0 else { throw FileError(path: path) }
      WholeFile.syncFolder(folder)
    }
  }

  /// Renames a user preset; its number stays.
  package func rename(_ name: String, to newName: String, of facts: UnitFacts) throws {
    try PresetName.check(newName)
    try changing(facts) { folder, listing in
      guard let entry = try own(name, in: listing), let old = entry.path else {
        throw missing(name, facts, listing)
      }
      guard newName != name else { return }
      if try own(newName, in: listing) != nil { throw PresetError.nameIsTaken(newName) }
      var state = entry.state
      state.presetName = newName
      // Write the old file first, so that exactly one preset exists at any moment.
      try WholeFile.write(Array(state.written(for: facts).utf8), to: old)
      let new = "\(folder)/\(PresetName.fileName(for: newName))"
      guard Glibc.rename(old, new) == 0 else { throw FileError(path: new) }
      WholeFile.syncFolder(folder)
    }
  }

  /// Runs `body` with the unit's folder locked.
  private func changing<Result>(
    _ facts: UnitFacts, _ body: (_ folder: String, _ listing: Listing) throws -> Result
  ) throws -> Result {
    let folder = folder(of: facts.component, in: userFolder)
    try Folder.make(folder)
    return try Folder.locked(folder) {
      // Remove the files of killed writers; no other program is writing now.
      for name in Folder.names(in: folder) where name.hasSuffix(WholeFile.temporarySuffix) {
        unlink("\(folder)/\(name)")
      }
      return try body(folder, presets(of: facts))
    }
  }

  /// Returns the user's preset of that name; nil if there is none.
  private func own(_ name: String, in listing: Listing) throws(PresetError) -> Entry? {
    guard let entry = listing.entry(named: name) else { return nil }
    if !entry.preset.isUserPreset { throw .belongsToTheUnit(name) }
    return entry
  }

  private func missing(_ name: String, _ facts: UnitFacts, _ listing: Listing) -> PresetError {
    let names = listing.entries.filter(\.preset.isUserPreset).map(\.preset.name)
    return .noSuchPreset(name, of: facts, nearest: nearestWord(to: name, in: names))
  }
}
