import Documents
import UnitModel

/// The present values of a unit that plays.
public struct LiveValues {
  public var facts: UnitFacts
  /// By address; nil for unknown addresses.
  public var value: (UInt64) -> Float?
  public var isBypassed: Bool

  public init(facts: UnitFacts, isBypassed: Bool, value: @escaping (UInt64) -> Float?) {
    (self.facts, self.isBypassed, self.value) = (facts, isBypassed, value)
  }
}

extension CheckedRack {
  /// The same rack, written with the values and bypasses that its units have, by their names. What
  /// lanes lead stays as it is written, since it is they that have moved it.
  public func taking(_ units: [String: LiveValues]) -> CheckedRack {
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

  /// The same, lanes or not.
  func setting(_ units: [String: LiveValues]) -> CheckedRack {
    var rack = self
    rack.bytes = nil
    for (place, planned) in plan.units.enumerated() {
      guard let unit = units[planned.name],
        let entry = file.units.firstIndex(where: { $0.name.value == planned.name })
      else { continue }
      rack.take(unit, at: place, writtenAt: entry)
    }
    return rack
  }

  /// Changes only the values that differ from the file's.
  private mutating func take(_ unit: LiveValues, at place: Int, writtenAt entry: Int) {
    let busCount = plan.units[place].inputChannelCounts.count
    var values = plan.units[place].values(with: unit.facts)
    for (address, planned) in values {
      guard let value = unit.value(address), value != planned, value.isFinite,
        let parameter = unit.facts.parameter(at: address)
      else { continue }
      let held = parameter.info.nearest(to: value)
      values[address] = held
      let text = Quantity.format(held, for: parameter.info)
      file.units[entry].write(text, for: parameter) {
        unit.facts.parameter(atKeyPath: $0, inputBusCount: busCount)?.address
      }
    }
    plan.units[place].parameters = values.sorted { $0.key < $1.key }.compactMap {
      address, value in
      unit.facts.parameter(at: address).map {
        PlannedParameter(address: address, keyPath: $0.keyPath, value: value)
      }
    }
    file.units[entry].isBypassed = unit.isBypassed
    plan.units[place].isBypassed = unit.isBypassed
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
