import Documents
import UnitModel

extension CheckedRack {
  /// The rack file in the words of `base`, where it says the same: values that are equal as they are
  /// written there, others in the way in which they were written.
  func file(inWordsOf base: CheckedRack) -> Rack {
    var file = file
    let places = EntryMatching.units(of: file.units, in: base.file.units)
    for (number, place) in places.enumerated() {
      guard let place, file.units[number].isOfTheKind(of: base.file.units[place]),
        let planned = plan.unit(named: file.units[number].name.value),
        let former = base.plan.unit(named: base.file.units[place].name.value)
      else { continue }
      file.units[number].parameters = planned.written(
        over: former, as: base.file.units[place].parameters, planned.facts)
    }
    return file
  }
}

extension Plan {
  fileprivate func unit(named name: String) -> PlannedUnit? { units.first { $0.name == name } }
}

extension Rack.Unit {
  /// Whether both have the same component, preset and inputs, and so the same initial parameters.
  fileprivate func isOfTheKind(of other: Rack.Unit) -> Bool {
    unit?.value == other.unit?.value && preset?.value == other.preset?.value
      && inputs?.value == other.inputs?.value
  }
}

extension PlannedUnit {
  /// The value of every parameter that can be set, the defaults among them, by address.
  package func values(with facts: UnitFacts) -> [UInt64: Float] {
    let all = facts.allParameters(inputBusCount: inputChannelCounts.count)
      .filter { $0.info.isStored }
    var values = Dictionary(all.map { ($0.address, $0.info.defaultValue) }) { first, _ in first }
    for parameter in parameters { values[parameter.address] = parameter.value }
    return values
  }

  /// The entries that give these values to a unit that has `base`'s with those of `entries`.
  fileprivate func written(
    over base: PlannedUnit, as entries: [Setting], _ facts: UnitFacts
  ) -> [Setting] {
    var entries = entries
    let former = base.values(with: facts)
    for (address, value) in values(with: facts).sorted(by: { $0.key < $1.key })
    where former[address] != value {
      guard let parameter = facts.parameter(at: address) else { continue }
      entries.set(parameter, to: value, of: facts, inputBusCount: inputChannelCounts.count)
    }
    return entries
  }
}
