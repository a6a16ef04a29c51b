import Documents
import UnitModel

extension CheckedRack {
  /// Returns the rack without the names of presets that no longer exist. The units keep their values.
  package func withoutLostPresets(_ checker: RackChecker) -> CheckedRack {
    var rack = self
    for (index, planned) in plan.units.enumerated() where planned.presetName != nil {
      guard let entry = file.units.firstIndex(where: { $0.id == planned.id }),
        let preset = file.units[entry].preset?.value,
        !checker.has(preset, of: planned.facts)
      else { continue }
      rack.bytes = nil
      rack.plan.units[index].presetName = nil
      rack.file.units[entry].preset = nil
      for property in planned.properties { rack.hold(property, of: planned, at: entry) }
    }
    return rack
  }

  /// Writes a property of the preset into the entry, unless the entry has that property.
  private mutating func hold(_ property: PlannedProperty, of unit: PlannedUnit, at entry: Int) {
    let identifier = unit.facts.properties[property.index].identifier
    if !file.units[entry].properties.contains(where: { $0.key.value == identifier }) {
      file.units[entry].properties.append(Setting(identifier, property.value))
    }
  }
}

extension RackChecker {
  /// A checker that knows the units' factory presets only.
  var withoutUserPresets: RackChecker {
    var checker = self
    checker.presets = { _ in [] }
    return checker
  }

  fileprivate func has(_ preset: String, of facts: UnitFacts) -> Bool {
    facts.factoryPreset(named: preset) != nil
      || presets(facts).contains { $0.presetName == preset }
  }

  /// Returns the message that a unit has no preset of that name.
  func absence(ofPreset preset: String, of facts: UnitFacts) -> Refusal {
    let names = facts.factoryPresets.map(\.name) + presets(facts).compactMap(\.presetName)
    let choice =
      names.isEmpty
      ? "it has none" : "“backline preset list \(facts.component)” lists its presets"
    return Refusal(
      "“\(facts.name)” has no preset “\(preset)”; \(choice)",
      suggestion: nearestWord(to: preset, in: names))
  }
}
