import AudioUnits
import Dispatch
import Documents
import RackEngine
import RackModel

/// The user's own presets, from the units that play.
extension RackSession {
  static let writing = DispatchQueue(label: "backline.presets")

  /// Saves the present settings of a unit as a user preset, which the unit then has; the loading is one
  /// step to undo, the file stays.
  ///
  /// - Parameter replaces: whether the user's preset of that name may be replaced.
  /// - Throws: `Refusal`, `PresetError` or `FileError`; nothing has changed then.
  public func savePreset(_ preset: String, of name: String, replaces: Bool) async throws -> String {
    try await inTurn {
      let unit = try playing(name)
      do {
        _ = try await Self.writing.answer {
          try unit.takeData()
          return try unit.presetLibrary.save(
            unit.fullState, as: preset, of: unit.facts, replacing: replaces)
        }
      } catch PresetError.nameIsTaken {
        throw Refusal("there is a preset “\(preset)” already; “replace” replaces it")
      }
      let before = await present()
      let edit = RackEdit.loadPreset(name: name, preset: preset)
      let after = try RackEditor(checker(rack)).apply(edit, to: before)
      try await rename(before, after.withValues(of: await engine.namedUnits), title: "\(edit)")
      return "saved “\(preset)”, a preset of \(unit.facts.name)"
    }
  }

  /// Deletes one of the user's presets of a unit. Units that have it keep their values, without its name:
  /// that is one step to undo.
  ///
  /// - Throws: `Refusal`, `PresetError` or `FileError`; nothing has changed then.
  public func deletePreset(_ preset: String, of name: String) async throws -> String {
    try await inTurn {
      let unit = try playing(name)
      try await Self.writing.answer { try unit.presetLibrary.delete(preset, of: unit.facts) }
      let before = rack.withValues(of: feed.units)
      try await rename(before, await present(), title: "delete preset \(preset)")
      return "deleted “\(preset)”, a preset of \(unit.facts.name)"
    }
  }

  /// Gives units other presets' names, if they have others; they keep their values, also those that move
  /// meanwhile.
  private func rename(_ before: CheckedRack, _ after: CheckedRack, title: String) async throws {
    if before.file == after.file { return }
    _ = try await change(from: before, to: after, playing: after, title: title)
  }

  private func playing(_ name: String) throws(Refusal) -> AudioUnit {
    if let unit = unit(named: name) { return unit }
    throw Refusal(
      "there is no unit “\(name)” in this rack",
      suggestion: nearestWord(to: name, in: feed.units.map(\.name)))
  }
}
