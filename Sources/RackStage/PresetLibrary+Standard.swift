import AudioUnits

extension PresetLibrary {
  /// The presets that ship with this program, and those of whoever runs it.
  package static var standard: PresetLibrary {
    PresetLibrary(shippedFolder: DataFolder.find("presets"))
  }

  /// What each preset of a unit sets, for the rack checker.
  package func states(of facts: UnitFacts) -> [UnitState] {
    presets(of: facts).entries.map(\.state)
  }
}
