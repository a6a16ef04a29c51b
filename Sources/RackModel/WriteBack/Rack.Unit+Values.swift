import Documents
import UnitModel

extension Rack.Unit {
  /// Writes the values and properties of the planned unit that differ from the entry's.
  ///
  /// - Parameter said: the unit as planned from the entry.
  mutating func write(_ planned: PlannedUnit, over said: PlannedUnit) {
    let (values, former) = (planned.values, said.values)
    for (address, value) in values.parameters.sorted(by: { $0.key < $1.key })
    where former.parameters[address] != value {
      guard let parameter = planned.facts.parameter(at: address) else { continue }
      parameters.set(parameter, to: value, of: planned)
    }
    isBypassed = values.isBypassed
    for property in planned.properties where !said.properties.contains(property) {
      let identifier = planned.facts.properties[property.index].identifier
      properties.removeAll { $0.key.value == identifier }
      properties.append(Setting(identifier, property.value))
    }
  }

  /// Whether both entries have the same component, preset and inputs, and so the same initial parameters.
  func isOfTheKind(of other: Rack.Unit) -> Bool {
    unit?.value == other.unit?.value && preset?.value == other.preset?.value
      && inputs?.value == other.inputs?.value
  }
}

extension PlannedUnit {
  /// Whether another planned unit has the same component, properties and values.
  func isSet(like other: PlannedUnit) -> Bool {
    component == other.component && properties == other.properties && values == other.values
  }
}

extension [Setting] {
  /// Sets a parameter: where it is written, in the same style, or else at the end.
  fileprivate mutating func set(
    _ parameter: ParameterReference, to value: Float, of unit: PlannedUnit
  ) {
    let index = firstIndex {
      unit.facts.parameter(
        atKeyPath: $0.key.value, inputBusCount: unit.inputChannelCounts.count)?.address
        == parameter.address
    }
    if let index {
      self[index].value.value = Quantity.format(
        value, for: parameter.info, like: self[index].value.value)
    } else {
      append(Setting(parameter.keyPath, Quantity.format(value, for: parameter.info)))
    }
  }
}
