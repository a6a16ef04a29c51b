import AudioUnits
import Dispatch
import Documents
import RackEngine
import RackModel

/// The user's own presets, from the units that play.
extension RackSession {
  private static let writing = DispatchQueue(label: "backline.presets")

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
          try unit.presetLibrary.save(
            unit.fullState, as: preset, of: unit.facts, replacing: replaces)
        }
      } catch PresetError.nameIsTaken {
        throw Refusal("there is a preset “\(preset)” already; “replace” replaces it")
      }
      _ = try await apply(.loadPreset(name: name, preset: preset))
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
      let (before, after) = (rack.withValues(of: feed.units), await present())
      if before.file != after.file {
        _ = try await change(
          from: before, to: after, renamed: nil, title: "delete preset \(preset)",
          isReported: false, isWhole: false)
      }
      return "deleted “\(preset)”, a preset of \(unit.facts.name)"
    }
  }

  private func playing(_ name: String) throws(Refusal) -> AudioUnit {
    if let unit = unit(named: name) { return unit }
    throw Refusal(
      "there is no unit “\(name)” in this rack",
      suggestion: nearestWord(to: name, in: feed.units.map(\.name)))
  }
}
