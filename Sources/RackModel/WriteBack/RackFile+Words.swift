import Documents
import UnitModel

extension CheckedRack {
  /// The rack file in the words of `base`, where it says the same: values that are equal as they are
  /// written there, others in the way in which they were written.
  func file(inWordsOf base: CheckedRack, _ catalogue: any UnitDirectory) -> RackFile {
    var file = file
    let places = EntryMatching.units(of: file.units, in: base.file.units)
    for (number, place) in places.enumerated() {
      guard let place, file.units[number].isOfTheKind(of: base.file.units[place]),
        let planned = plan.unit(named: file.units[number].name.value),
        let former = base.plan.unit(named: base.file.units[place].name.value),
        let facts = try? catalogue.facts(for: planned.reference).first
      else { continue }
      file.units[number].parameters = planned.written(
        over: former, as: base.file.units[place].parameters, facts)
    }
    return file
  }
}

extension Plan {
  fileprivate func unit(named name: String) -> PlannedUnit? { units.first { $0.name == name } }
}

extension UnitEntry {
  /// Whether both have the same component, preset and inputs, and so the same initial parameters.
  fileprivate func isOfTheKind(of other: UnitEntry) -> Bool {
    unit?.value == other.unit?.value && preset?.value == other.preset?.value
      && inputs?.value == other.inputs?.value
  }
}

extension PlannedUnit {
  /// The value of every parameter that can be set, the defaults among them, by address.
  public func values(with facts: UnitFacts) -> [UInt64: Float] {
    let all = facts.allParameters(inputBusCount: inputChannelCounts.count)
      .filter { $0.info.flags.contains(.writable) }
    var values = Dictionary(all.map { ($0.address, $0.info.defaultValue) }) { first, _ in first }
    for parameter in parameters { values[parameter.address] = parameter.value }
    return values
  }

  /// The entries that give these values to a unit that has `base`'s with those of `entries`.
  fileprivate func written(
    over base: PlannedUnit, as entries: [SettingEntry], _ facts: UnitFacts
  ) -> [SettingEntry] {
    var entries = entries
    let former = base.values(with: facts)
    for (address, value) in values(with: facts).sorted(by: { $0.key < $1.key })
    where former[address] != value {
      guard let parameter = facts.parameter(at: address) else { continue }
      let place = entries.firstIndex {
        facts.parameter(atKeyPath: $0.key.value, inputBusCount: inputChannelCounts.count)?.address
          == address
      }
      if let place {
        entries[place].value.value = Quantity.format(
          value, for: parameter.info, like: entries[place].value.value)
      } else {
        entries.append(
          SettingEntry(
            key: .edited(parameter.keyPath),
            value: .edited(Quantity.format(value, for: parameter.info))))
      }
    }
    return entries
  }
}
