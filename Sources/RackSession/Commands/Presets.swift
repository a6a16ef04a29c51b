import AudioUnits
import Documents
import RackModel

struct LoadPreset: EditCommand {
  var name = ""
  var preset = ""

  static let declaration = CommandDeclaration(
    "preset", "Load a preset into a unit.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .unit, "The unit, as the rack calls it."),
    .required("preset", \.preset, .text, "The preset's name."),
  ]

  func title(in rack: CheckedRack) -> String { "preset \(preset) loaded into \(name)" }

  func edit(_ rack: CheckedRack, with editor: RackEditor) throws(Refusal) -> CheckedRack {
    try editor.load(preset: preset, into: name, of: rack)
  }
}

/// The command that saves the settings of a unit as a user preset and loads that preset into the unit. The loading
/// is one step to undo; the file stays.
struct SavePreset: Command {
  var name = ""
  var preset = ""
  var replaces: Bool?

  static let declaration = CommandDeclaration(
    "save-preset", "Save a unit's settings as a preset of yours, which the unit then has.",
    detail: "Undo gives the unit its former preset; the saved one stays.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .unit, "The unit, as the rack calls it."),
    .required("preset", \.preset, .text, "The preset's name."),
    .flag("replace", \.replaces, "Replace your preset of that name."),
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let unit = try session.playing(name)
    do {
      _ = try await RackSession.writing.answer { [preset, replaces] in
        try unit.refreshData()
        return try unit.presetLibrary.save(
          unit.fullState, as: preset, of: unit.facts, replacing: replaces == true)
      }
    } catch PresetError.nameIsTaken {
      throw Refusal("there is a preset “\(preset)” already; “replace” replaces it")
    }
    let before = await session.present()
    let load = LoadPreset(name: name, preset: preset)
    let after = try load.edit(before, with: RackEditor(session.checker(session.rack)))
    try await session.renamePresets(
      before, after.withValues(of: await session.engine.namedUnits), title: load.title(in: after))
    return .done("saved “\(preset)”, a preset of \(unit.facts.name)")
  }
}

/// The command that deletes a user preset of a unit. Units with this preset keep their values, without its name, as
/// one step to undo.
struct DeletePreset: Command {
  var name = ""
  var preset = ""

  static let declaration = CommandDeclaration(
    "delete-preset", "Delete one of your presets.",
    detail: "Units that have it keep their values. It cannot be undone.")
  static let arguments: [CommandArgument<Self>] = [
    .required("name", \.name, .unit, "The unit, as the rack calls it."),
    .required("preset", \.preset, .text, "The preset's name."),
  ]

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let unit = try session.playing(name)
    try await RackSession.writing.answer { [preset] in
      try unit.presetLibrary.delete(preset, of: unit.facts)
    }
    let before = session.rack.withValues(of: session.feed.units)
    try await session.renamePresets(
      before, await session.present(), title: "preset \(preset) deleted")
    return .done("deleted “\(preset)”, a preset of \(unit.facts.name)")
  }
}

extension RackSession {
  /// Changes the preset names of units from `before` to `after`, if they differ. The units keep their values, also
  /// values that change meanwhile.
  fileprivate func renamePresets(
    _ before: CheckedRack, _ after: CheckedRack, title: String
  ) async throws {
    if before.file == after.file { return }
    _ = try await change(from: before, to: after, playing: after, title: title)
  }

  /// Returns the unit of this name.
  ///
  /// - Throws: `Refusal` with the nearest name if there is none.
  func playing(_ name: String) throws(Refusal) -> AudioUnit {
    if let unit = unit(named: name) { return unit }
    throw Refusal(
      "there is no unit “\(name)” in this rack",
      suggestion: nearestWord(to: name, in: feed.units.map(\.name)))
  }
}
