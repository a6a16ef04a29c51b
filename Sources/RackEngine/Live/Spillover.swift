import RackModel

/// The tails of units that a rack no longer has, and the units that the tails pass.
struct Spillover {
  /// A unit that receives no new input. Times are frames of the engine.
  struct Unit {
    let unit: RackUnit
    /// Whether the unit only passes the tails of other units.
    let isPassage: Bool
    /// The time since which the unit has received nothing, not even tails.
    fileprivate var start: Int64
    fileprivate var lastHeard: Int64
    /// The time at which the unit is removed at the latest.
    fileprivate var end: Int64
  }

  private(set) var units: [Unit] = []
  /// The cables among these units and on to the rack. The units' indices follow those of the rack's own units.
  private(set) var cables: [Cable] = []

  init(_ units: [Unit] = [], cables: [Cable] = []) {
    (self.units, self.cables) = (units, cables)
    // A unit that passes tails is kept as long as any tail may pass.
    guard let latest = units.filter({ !$0.isPassage }).map(\.end).max() else { return }
    for index in units.indices where units[index].isPassage { self.units[index].end = latest }
  }

  /// The units whose tails are heard.
  var names: [String] { units.filter { !$0.isPassage }.map(\.unit.name) }

  /// The longest time for which a unit is kept, unless its tail is finite and longer; seconds.
  fileprivate static let defaultMaximum = 30.0
  /// -90 dB
  private static let silence: Float = 3.2e-5
  /// The time below `silence` after which a unit counts as silent, longer than a meter's interval; seconds.
  private static let quiet = 0.2

  /// Returns the time in which a unit decays to -90 dB, seconds; units declare their tails to -60 dB.
  fileprivate static func tail(of unit: RackUnit) -> Double { 1.5 * unit.audioUnit.tailTime }

  /// Adds the peak of a unit's meter, a magnitude, at a time in frames.
  mutating func add(_ identifier: UInt32, peak: Float, at time: Int64) {
    guard peak > Self.silence else { return }
    for index in units.indices where units[index].unit.identifier == identifier {
      units[index].lastHeard = time
    }
  }

  /// Starts to measure silence at a time in frames, whatever was added before.
  mutating func listen(from time: Int64) {
    for index in units.indices { units[index].lastHeard = time }
  }

  /// Returns the identifiers of the units that have decayed; `ownCount` is the number of the rack's own units.
  mutating func decayedUnits(at time: Int64, sampleRate: Double, ownCount: Int) -> Set<UInt32> {
    let fed = Set(
      cables.filter { $0.source.unit != $0.destination.unit }.compactMap(\.destination.unit))
    var decayed: Set<UInt32> = []
    for index in units.indices {
      let isFed = fed.contains(ownCount + index)
      if isFed { units[index].start = time }
      let unit = units[index]
      let hasDecayed =
        unit.isPassage
        || Double(time - unit.start) >= Self.tail(of: unit.unit) * sampleRate
          && Double(time - unit.lastHeard) >= Self.quiet * sampleRate
      if time >= unit.end || hasDecayed && !isFed { decayed.insert(unit.unit.identifier) }
    }
    return decayed
  }
}

extension Spillover.Unit {
  /// Creates the entry of a unit that leaves its rack at a time in frames.
  init(_ unit: RackUnit, isPassage: Bool, at time: Int64, sampleRate: Double) {
    let tail = Spillover.tail(of: unit)
    let maximum = max(Spillover.defaultMaximum, tail.isFinite ? tail : 0)
    self.init(
      unit: unit, isPassage: isPassage, start: time, lastHeard: time,
      end: time + Int64(maximum * sampleRate))
  }
}
