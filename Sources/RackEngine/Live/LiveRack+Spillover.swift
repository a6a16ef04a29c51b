import AudioUnits
import RackModel

extension LiveRack {
  /// The rack's own units, then those of its spillover.
  var allUnits: [RackUnit] { units + spillover.units.map(\.unit) }

  /// The rack's own cables, then those of its spillover.
  var allCables: [Cable] { plan.cables + spillover.cables }

  /// Returns the unit that can play on as a unit of another plan; nil if there is none.
  ///
  /// A unit of the spillover returns with its tail. A unit that spills does not play on in another rack
  /// with other settings.
  ///
  /// - Parameter heardBefore: `plan.audibleUnits`.
  func unit(
    thatBecomes planned: PlannedUnit, isHeard: Bool, heardBefore: Set<Int>, inAnotherRack: Bool,
    format: RenderFormat, catalogue: ComponentCatalogue
  ) -> RackUnit? {
    func fits(_ unit: RackUnit) -> Bool {
      unit.canBecome(planned, format: format, catalogue: catalogue)
        && !(inAnotherRack && unit.spills && !unit.isSet(like: planned))
    }
    let former = units.indices.first {
      units[$0].id == planned.id && fits(units[$0])
        && (heardBefore.contains($0) || !isHeard)
    }
    return former.map { units[$0] }
      ?? spillover.units.last { isHeard && $0.unit.name == planned.name && fits($0.unit) }?
      .unit
  }

  /// Returns the spillover of `old`, a former rack or an earlier state of this rack: the units that spill and
  /// that this rack does not have, and the units between them and this rack.
  ///
  /// - Parameters:
  ///   - decayed: the identifiers of units that are left out.
  ///   - time: the present time, frames.
  func spillover(
    of old: LiveRack, without decayed: Set<UInt32> = [], at time: Int64
  ) -> Spillover {
    let oldUnits = old.allUnits
    let own = oldUnits.map { unit in units.firstIndex { $0 === unit } }
    let heard = old.plan.audibleUnits
    let spilling = oldUnits.indices.filter { index in
      guard own[index] == nil, !decayed.contains(oldUnits[index].identifier) else { return false }
      let spilled = index - old.units.count
      return spilled >= 0
        ? !old.spillover.units[spilled].isPassage : oldUnits[index].spills && heard.contains(index)
    }
    // Cables from the units that are removed.
    let ways = old.allCables.filter { cable in
      guard let source = cable.source.unit, own[source] == nil else { return false }
      return cable.destination.unit != nil || port(of: cable, in: old) != nil
    }
    let reached = Self.spread(from: Set(spilling)) { index in
      ways.filter { $0.source.unit == index }.compactMap(\.destination.unit)
        .filter { own[$0] == nil && !decayed.contains(oldUnits[$0].identifier) }
    }
    let ends = ways.compactMap { cable -> Int? in
      let isEnd = cable.destination.unit.map { own[$0] != nil } ?? true
      return isEnd ? cable.source.unit : nil
    }
    let leading = Self.spread(from: Set(ends)) { index in
      ways.filter { $0.destination.unit == index }.compactMap(\.source.unit)
    }
    let indices = reached.intersection(leading).sorted()
    let kept = indices.map { index in
      index >= old.units.count
        ? old.spillover.units[index - old.units.count]
        : Spillover.Unit(
          oldUnits[index], isPassage: !spilling.contains(index), at: time,
          sampleRate: format.sampleRate)
    }
    let moved = oldUnits.indices.map { index -> Int? in
      own[index] ?? indices.firstIndex(of: index).map { units.count + $0 }
    }
    let cables = ways.compactMap { cable -> Cable? in
      var cable = cable
      if let port = port(of: cable, in: old) { cable.destination = .port(port) }
      return cable.moved(to: moved)
    }
    return Spillover(kept, cables: cables)
  }

  /// Returns the index of this rack's output with the name and the channels of the output that a cable of
  /// another rack leads to; nil if there is none.
  private func port(of cable: Cable, in old: LiveRack) -> Int? {
    guard case .port(let index) = cable.destination else { return nil }
    let names = old.plan.outputs[index].channelNames
    return plan.outputs.firstIndex { $0.channelNames == names }
  }

  /// Whether a cable leads to a unit or an output that another rack has, too.
  func leadsOn(_ cable: Cable, in other: LiveRack) -> Bool {
    guard let unit = cable.destination.unit else { return other.port(of: cable, in: self) != nil }
    return other.allUnits.contains { $0 === allUnits[unit] }
  }

  private static func spread(from start: Set<Int>, to next: (Int) -> [Int]) -> Set<Int> {
    var reached = start
    var waiting = Array(start)
    while let index = waiting.popLast() {
      for other in next(index) where reached.insert(other).inserted { waiting.append(other) }
    }
    return reached
  }
}

extension Engine {
  /// Removes units of the spillover that have decayed.
  func followSpillover() {
    // A change under way may last long.
    guard server.isPlaying, !changes.isLocked, !decayedUnits().isEmpty else { return }
    Task { [weak self] in await self?.removeDecayedUnits() }
  }

  private func decayedUnits() -> Set<UInt32> {
    let count = rack?.units.count ?? 0
    return rack?.spillover.decayedUnits(
      at: snapshot.sampleTime, sampleRate: snapshot.sampleRate, ownCount: count) ?? []
  }

  private func removeDecayedUnits() async {
    await changes.lock()
    defer { changes.unlock() }
    let decayed = decayedUnits()
    guard server.isPlaying, !decayed.isEmpty, let old = rack else { return }
    var new = old
    new.spillover = new.spillover(of: old, without: decayed, at: snapshot.sampleTime)
    // If the kernel does not keep up, the next round tries again.
    guard (try? await crossfade(from: old, to: new, keeping: .all)) != nil else { return }
    rack?.spillover = new.spillover
    rack?.spillover.listen(from: snapshot.sampleTime)
    snapshot.spilling = new.spillover.names
  }
}
