/// The values that the start of a song has set in a unit. A save writes the file's values in their place while they
/// are unchanged.
struct SongValues: Sendable, Equatable {
  struct Change: Sendable, Equatable {
    /// The value of the file.
    var written: Float
    var set: Float
  }

  /// The changes by `ControlTarget.address`.
  var changes: [UInt64: Change] = [:]
}

extension CheckedRack {
  /// Returns the rack with the values of the scene in which its song starts; buttons of the scene are not pressed.
  package func starting(in scene: PlannedScene) -> CheckedRack {
    var rack = self
    for value in scene.values {
      let id = plan.units[value.target.unit].id
      guard let written = plan[value.target], written != value.value,
        let entry = file.units.firstIndex(where: { $0.id == id })
      else { continue }
      rack.plan[value.target] = value.value
      rack.file.units[entry].songValues.changes[value.target.address] = .init(
        written: written, set: value.value)
    }
    return rack
  }

  /// Returns the rack with the file's values where units still have those of the song.
  func withoutSongValues() -> CheckedRack {
    var rack = self
    for (index, unit) in plan.units.enumerated() {
      guard let entry = file.units.first(where: { $0.id == unit.id }) else { continue }
      for (address, change) in entry.songValues.changes {
        let target = ControlTarget(unit: index, address: address)
        if plan[target] == change.set { rack.plan[target] = change.written }
      }
    }
    return rack
  }
}
