import UnitModel

/// The values that a song set in a unit when it started and that differ from the rack file.
///
/// Nobody changed them by hand, so a value is not written into the file while it stays as the song set
/// it.
package struct SongOverrides: Sendable, Equatable {
  struct Value: Sendable, Equatable {
    /// In the file.
    var written: Float
    var set: Float
  }

  /// By address.
  var values: [UInt64: Value] = [:]
  /// The bypass in the file; nil where the song does not change it.
  var bypass: Bool?
}

extension CheckedRack {
  /// The same rack with the values that a song sets in units when it starts.
  package func overridden(with units: [String: LiveValues]) -> CheckedRack {
    var rack = setting(units)
    for (planned, changed) in zip(plan.units, rack.plan.units) {
      guard let facts = units[planned.name]?.facts,
        let entry = rack.file.units.firstIndex(where: { $0.name.value == planned.name })
      else { continue }
      let written = planned.values(with: facts)
      var overrides = SongOverrides()
      for (address, value) in changed.values(with: facts) {
        guard let former = written[address], former != value else { continue }
        overrides.values[address] = .init(written: former, set: value)
      }
      if planned.isBypassed != changed.isBypassed { overrides.bypass = planned.isBypassed }
      rack.file.units[entry].songOverrides = overrides
    }
    return rack
  }

  /// The same rack with the file's values where units still have those of the song.
  func withoutSongOverrides() -> CheckedRack {
    var units: [String: LiveValues] = [:]
    for entry in file.units where entry.songOverrides != SongOverrides() {
      guard let planned = plan.units.first(where: { $0.name == entry.name.value }) else { continue }
      let facts = planned.facts
      let present = planned.values(with: facts)
      let overrides = entry.songOverrides
      units[planned.name] = LiveValues(
        facts: facts, isBypassed: overrides.bypass ?? planned.isBypassed,
        value: { address in
          overrides.values[address].flatMap { present[address] == $0.set ? $0.written : nil }
        })
    }
    return setting(units)
  }
}
