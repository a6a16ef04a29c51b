import AudioUnits

extension PresetLibrary {
  /// The values of each preset of a unit, for the rack checker.
  package func states(of facts: UnitFacts) -> [UnitState] {
    presets(of: facts).entries.map(\.state)
  }
}
