import AudioUnits
import RackModel

extension LiveRack {
  /// The rack's own units, and behind them those that trail.
  var allUnits: [RackUnit] { units + trail.units.map(\.unit) }

  /// Likewise.
  var allCables: [Cable] { plan.cables + trail.cables }

  /// The unit that can go on as one that another plan has.
  ///
  /// One that trails comes back with its tail. In another rack, one that spills does not go on with
  /// other settings: it spills with its own.
  ///
  /// - Parameter heardBefore: `plan.heardUnits`, found once for all.
  func unit(
    thatBecomes planned: PlannedUnit, formerly name: String, isHeard: Bool,
    heardBefore: Set<Int>, inAnotherRack: Bool, format: RenderFormat,
    catalogue: ComponentCatalogue
  ) -> RackUnit? {
    func fits(_ unit: RackUnit, _ name: String) -> Bool {
      unit.name == name && unit.canBecome(planned, format: format, catalogue: catalogue)
        && !(inAnotherRack && unit.spills && !unit.isSet(like: planned))
    }
    let former = units.indices.first {
      fits(units[$0], name) && (heardBefore.contains($0) || !isHeard)
    }
    return former.map { units[$0] }
      ?? trail.units.last { isHeard && fits($0.unit, planned.name) }?.unit
  }

  /// What is heard on of another rack whose place this one takes, or of itself as it was: the units
  /// that spill and are not in this one, and all that leads on from them as far as it comes to what
  /// this one has.
  ///
  /// - Parameter over: the identifiers of units that are not to be heard any more.
  func trail(behind old: LiveRack, over: Set<UInt32> = [], at time: Int64) -> Trail {
    let oldUnits = old.allUnits
    let own = oldUnits.map { unit in units.firstIndex { $0 === unit } }
    let heard = old.plan.heardUnits
    let spilling = oldUnits.indices.filter { place in
      guard own[place] == nil, !over.contains(oldUnits[place].identifier) else { return false }
      let trailing = place - old.units.count
      return trailing >= 0
        ? !old.trail.units[trailing].isWay : oldUnits[place].spills && heard.contains(place)
    }
    // Cables among those that go, and from there to what stays.
    let ways = old.allCables.filter { cable in
      guard let source = cable.source.unit, own[source] == nil else { return false }
      return cable.destination.unit != nil || port(of: cable, in: old) != nil
    }
    let reached = Self.spread(from: Set(spilling)) { place in
      ways.filter { $0.source.unit == place }.compactMap(\.destination.unit)
        .filter { own[$0] == nil && !over.contains(oldUnits[$0].identifier) }
    }
    let ends = ways.compactMap { cable -> Int? in
      let isEnd = cable.destination.unit.map { own[$0] != nil } ?? true
      return isEnd ? cable.source.unit : nil
    }
    let leading = Self.spread(from: Set(ends)) { place in
      ways.filter { $0.destination.unit == place }.compactMap(\.source.unit)
    }
    let places = reached.intersection(leading).sorted()
    let trailing = places.map { place in
      place >= old.units.count
        ? old.trail.units[place - old.units.count]
        : Trail.Unit(
          oldUnits[place], isWay: !spilling.contains(place), at: time,
          sampleRate: format.sampleRate)
    }
    let moved = oldUnits.indices.map { place -> Int? in
      own[place] ?? places.firstIndex(of: place).map { units.count + $0 }
    }
    let cables = ways.compactMap { cable -> Cable? in
      var cable = cable
      if let port = port(of: cable, in: old) { cable.destination = .port(port) }
      return cable.moved(to: moved)
    }
    return Trail(trailing, cables: cables)
  }

  /// The output of this rack that has the name and the channels of the one that a cable of another
  /// leads to.
  private func port(of cable: Cable, in old: LiveRack) -> Int? {
    guard case .port(let place) = cable.destination else { return nil }
    let names = old.plan.outputs[place].channelNames
    return plan.outputs.firstIndex { $0.channelNames == names }
  }

  /// Does a cable lead to something that another rack has, too?
  func leadsOn(_ cable: Cable, in other: LiveRack) -> Bool {
    guard let unit = cable.destination.unit else { return other.port(of: cable, in: self) != nil }
    return other.allUnits.contains { $0 === allUnits[unit] }
  }

  private static func spread(from start: Set<Int>, to next: (Int) -> [Int]) -> Set<Int> {
    var reached = start
    var waiting = Array(start)
    while let place = waiting.popLast() {
      for other in next(place) where reached.insert(other).inserted { waiting.append(other) }
    }
    return reached
  }
}
