import UnitModel

/// What a song has set in a unit, when it began, otherwise than the rack file says.
///
/// It was no change by anybody's hand, so it is not written into the file for as long as it stays.
public struct Beginning: Sendable, Equatable {
  struct Value: Sendable, Equatable {
    /// As the file has it.
    var written: Float
    var set: Float
  }

  /// By address.
  var values: [UInt64: Value] = [:]
  /// As the file has it; nil where that is as the song has it.
  var bypass: Bool?
}

extension CheckedRack {
  /// The same rack, which begins with other values of some units than are written.
  public func beginning(with units: [String: LiveValues]) -> CheckedRack {
    var rack = setting(units)
    for (planned, begun) in zip(plan.units, rack.plan.units) {
      guard let facts = units[planned.name]?.facts,
        let entry = rack.file.units.firstIndex(where: { $0.name.value == planned.name })
      else { continue }
      let written = planned.values(with: facts)
      var beginning = Beginning()
      for (address, value) in begun.values(with: facts) {
        guard let former = written[address], former != value else { continue }
        beginning.values[address] = .init(written: former, set: value)
      }
      if planned.isBypassed != begun.isBypassed { beginning.bypass = planned.isBypassed }
      rack.file.units[entry].beginning = beginning
    }
    return rack
  }

  /// The same rack with what is still as a song began as it is written.
  func withoutBeginnings(_ catalogue: any UnitDirectory) -> CheckedRack {
    var units: [String: LiveValues] = [:]
    for entry in file.units where entry.beginning != Beginning() {
      guard let planned = plan.units.first(where: { $0.name == entry.name.value }),
        let facts = try? catalogue.facts(for: planned.reference).first
      else { continue }
      let present = planned.values(with: facts)
      units[planned.name] = LiveValues(
        facts: facts, isBypassed: entry.beginning.bypass ?? planned.isBypassed,
        value: { address in
          entry.beginning.values[address].flatMap { present[address] == $0.set ? $0.written : nil }
        })
    }
    return setting(units)
  }
}
