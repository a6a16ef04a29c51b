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
        !checker.has(preset, of: planned.facts)
      else { continue }
      rack.bytes = nil
      rack.plan.units[place].presetName = nil
      rack.file.units[entry].hold(planned, of: planned.facts)
      rack.file.units[entry].preset = nil
    }
    return rack
  }
}

extension Rack {
  /// The same file with the values of presets that are files of their own, so that it sounds the same where
  /// they are not, or are others.
  func holdingPresets(of plan: Plan) -> Rack {
    var file = self
    for planned in plan.units {
      guard let preset = planned.presetName,
        let entry = file.units.firstIndex(where: { $0.name.value == planned.name }),
        planned.facts.factoryPreset(named: preset) == nil
      else { continue }
      file.units[entry].hold(planned, of: planned.facts)
    }
    return file
  }
}

extension RackChecker {
  fileprivate func has(_ preset: String, of facts: UnitFacts) -> Bool {
    facts.factoryPreset(named: preset) != nil
      || presets(facts).contains { $0.presetName == preset }
  }

  /// Why there is no preset of that name, for people.
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

extension Rack.Unit {
  /// Adds all planned values and properties that the entry does not have.
  fileprivate mutating func hold(_ planned: PlannedUnit, of facts: UnitFacts) {
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
