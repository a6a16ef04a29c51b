import AudioUnits
import Documents
import RackModel
import UnitModel

extension CheckedRack {
  /// The same rack, written with the values and bypasses that its units have now.
  func taking(_ units: [NamedUnit]) -> CheckedRack {
    let byName = Dictionary(units.map { ($0.name, $0.audioUnit) }) { first, _ in first }
    var rack = self
    for (place, planned) in plan.units.enumerated() {
      if let unit = byName[planned.name] { rack.take(unit, at: place) }
    }
    return rack
  }

  /// The same rack, written with what a scene sets.
  func recalling(_ scene: PlannedScene, catalogue: any UnitDirectory) -> CheckedRack {
    var rack = self
    for value in scene.values {
      switch value.target {
      case .bypass(let place):
        rack.file.units[place].isBypassed = value.value >= 0.5
        rack.plan.units[place].isBypassed = value.value >= 0.5
      case .parameter(let place, let address):
        guard let facts = try? catalogue.facts(for: plan.units[place].reference).first else {
          continue
        }
        rack.take(facts, at: place) { $0 == address ? value.value : nil }
      }
    }
    return rack
  }

  private mutating func take(_ unit: AudioUnit, at place: Int) {
    take(unit.facts, at: place, value: unit.parameterValue)
    file.units[place].isBypassed = unit.shouldBypassEffect
    plan.units[place].isBypassed = unit.shouldBypassEffect
  }

  /// Writes only what is not as it is written; where `value` has none for an address, it stays.
  private mutating func take(_ facts: UnitFacts, at place: Int, value: (UInt64) -> Float?) {
    let busCount = plan.units[place].inputChannelCounts.count
    var values = plan.units[place].values(with: facts)
    for (address, planned) in values {
      guard let value = value(address), value != planned, value.isFinite,
        let parameter = facts.parameter(at: address)
      else { continue }
      let held = parameter.info.nearest(to: value)
      values[address] = held
      let text = Quantity.format(held, for: parameter.info)
      file.units[place].write(text, for: parameter) {
        facts.parameter(atKeyPath: $0, inputBusCount: busCount)?.address
      }
    }
    plan.units[place].parameters = values.sorted { $0.key < $1.key }.compactMap {
      address, value in
      facts.parameter(at: address).map {
        PlannedParameter(address: address, keyPath: $0.keyPath, value: value)
      }
    }
  }
}

extension UnitEntry {
  /// Gives a parameter its value where the file does, or else at the end.
  ///
  /// `address` finds the parameter that a key of the file stands for.
  fileprivate mutating func write(
    _ text: String, for parameter: ParameterReference, address: (String) -> UInt64?
  ) {
    if let place = parameters.firstIndex(where: { address($0.key.value) == parameter.address }) {
      parameters[place].value.value = text
    } else {
      parameters.append(
        SettingEntry(
          key: Located(parameter.keyPath, at: name.position),
          value: Located(text, at: name.position)))
    }
  }
}
