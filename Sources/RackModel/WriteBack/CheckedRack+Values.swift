import Documents
import UnitModel

/// The current values of a unit.
package struct LiveValues {
  package var facts: UnitFacts
  /// By address; nil for unknown addresses.
  package var value: (UInt64) -> Float?
  package var isBypassed: Bool

  package init(facts: UnitFacts, isBypassed: Bool, value: @escaping (UInt64) -> Float?) {
    (self.facts, self.isBypassed, self.value) = (facts, isBypassed, value)
  }
}

extension CheckedRack {
  /// The same rack with the current values and bypasses of its units, by their names. Parameters that
  /// lanes move keep their written values.
  package func taking(_ units: [String: LiveValues]) -> CheckedRack {
    let led = Set(plan.automation.map(\.target))
    let places = Dictionary(plan.units.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var units = units
    for (name, unit) in units {
      guard let place = places[name] else { continue }
      if led.contains(.bypass(unit: place)) {
        units[name]?.isBypassed = plan.units[place].isBypassed
      }
      units[name]?.value = { address in
        led.contains(.parameter(unit: place, address: address)) ? nil : unit.value(address)
      }
    }
    return setting(units)
  }

  /// The same, parameters that lanes move included.
  func setting(_ units: [String: LiveValues]) -> CheckedRack {
    var rack = self
    rack.bytes = nil
    for (place, planned) in plan.units.enumerated() {
      guard let unit = units[planned.name],
        let entry = file.units.firstIndex(where: { $0.name.value == planned.name })
      else { continue }
      rack.apply(unit, at: place, writtenAt: entry)
    }
    return rack
  }

  /// Gives a unit's property a value, as the rack's file will have it too.
  package mutating func set(_ property: PlannedProperty, named identifier: String, of name: String)
  {
    guard let place = plan.units.firstIndex(where: { $0.name == name }),
      let entry = file.units.firstIndex(where: { $0.name.value == name }),
      !plan.units[place].properties.contains(property)
    else { return }
    bytes = nil
    plan.units[place].properties.removeAll { $0.index == property.index }
    plan.units[place].properties.append(property)
    plan.units[place].properties.sort { $0.index < $1.index }
    file.units[entry].properties.removeAll { $0.key.value == identifier }
    file.units[entry].properties.append(Setting(identifier, property.value))
  }

  /// Changes only the values that differ from the file's.
  private mutating func apply(_ unit: LiveValues, at place: Int, writtenAt entry: Int) {
    let busCount = plan.units[place].inputChannelCounts.count
    var values = plan.units[place].values(with: unit.facts)
    for (address, planned) in values.sorted(by: { $0.key < $1.key }) {
      guard let value = unit.value(address), value != planned, value.isFinite,
        let parameter = unit.facts.parameter(at: address)
      else { continue }
      let held = parameter.info.nearest(to: value)
      values[address] = held
      file.units[entry].parameters.set(
        parameter, to: held, of: unit.facts, inputBusCount: busCount)
    }
    plan.units[place].parameters = unit.facts.plannedParameters(values)
    file.units[entry].isBypassed = unit.isBypassed
    plan.units[place].isBypassed = unit.isBypassed
  }
}

extension [Setting] {
  /// Gives a parameter a value: where it is written, in the style in which it is written, or else at the
  /// end.
  mutating func set(
    _ parameter: ParameterReference, to value: Float, of facts: UnitFacts, inputBusCount: Int
  ) {
    let place = firstIndex {
      facts.parameter(atKeyPath: $0.key.value, inputBusCount: inputBusCount)?.address
        == parameter.address
    }
    if let place {
      self[place].value.value = Quantity.format(
        value, for: parameter.info, like: self[place].value.value)
    } else {
      append(Setting(parameter.keyPath, Quantity.format(value, for: parameter.info)))
    }
  }
}
