import Documents
import UnitModel

extension CheckedRack {
  /// The same rack, with the values of units whose presets are gone by now in the place of the presets:
  /// the units have them already, and the rack can be checked and saved.
  package func keepingLostPresets(_ checker: RackChecker) -> CheckedRack {
    var rack = self
    for (place, planned) in plan.units.enumerated() {
      guard planned.presetName != nil,
        let entry = file.units.firstIndex(where: { $0.name.value == planned.name }),
        let preset = file.units[entry].preset?.value,
        let facts = try? checker.catalogue.facts(for: planned.reference).first,
        !checker.has(preset, of: facts)
      else { continue }
      rack.bytes = nil
      rack.plan.units[place].presetName = nil
      rack.file.units[entry].keep(planned, of: facts)
    }
    return rack
  }
}

extension RackChecker {
  fileprivate func has(_ preset: String, of facts: UnitFacts) -> Bool {
    facts.factoryPreset(named: preset) != nil
      || presets(facts).contains { $0.presetName == preset }
  }
}

extension Rack.Unit {
  /// Adds all planned values and properties that the entry does not have.
  fileprivate mutating func keep(_ planned: PlannedUnit, of facts: UnitFacts) {
    preset = nil
    let busCount = planned.inputChannelCounts.count
    let written = Set(
      parameters.compactMap {
        facts.parameter(atKeyPath: $0.key.value, inputBusCount: busCount)?.address
      })
    for parameter in planned.parameters where !written.contains(parameter.address) {
      guard let info = facts.parameter(at: parameter.address)?.info,
        parameter.value != info.defaultValue
      else { continue }
      parameters.append(
        Setting(parameter.keyPath, Quantity.format(parameter.value, for: info)))
    }
    let named = Set(properties.map(\.key.value))
    for property in planned.properties where facts.properties.indices.contains(property.index) {
      let identifier = facts.properties[property.index].identifier
      guard !named.contains(identifier) else { continue }
      properties.append(Setting(identifier, property.value))
    }
  }
}
