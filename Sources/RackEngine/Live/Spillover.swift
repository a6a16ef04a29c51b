import RackModel

/// The tails of units that a rack no longer has, and the units that the tails pass.
struct Spillover {
  /// A unit that receives nothing new. Times are frames of the engine.
  struct Unit {
    let unit: RackUnit
    /// Whether the unit only passes the tails of others.
    let isPassage: Bool
    /// Since then the unit receives nothing, not even tails.
    fileprivate var start: Int64
    fileprivate var lastHeard: Int64
    /// The unit is removed then at the latest.
    fileprivate var end: Int64
  }

  private(set) var units: [Unit] = []
  /// Among these units, and on to the rack. The places of these units follow those of the rack's own.
  private(set) var cables: [Cable] = []

  init(_ units: [Unit] = [], cables: [Cable] = []) {
    (self.units, self.cables) = (units, cables)
    // A passage is kept for as long as any tail may pass.
    guard let latest = units.filter({ !$0.isPassage }).map(\.end).max() else { return }
    for place in units.indices where units[place].isPassage { self.units[place].end = latest }
  }

  /// The units whose tails are heard.
  var names: [String] { units.filter { !$0.isPassage }.map(\.unit.name) }

  /// Seconds for which a unit is heard at most, unless its tail is finite and longer.
  fileprivate static let usualMost = 30.0
  /// -90 dB
  private static let silence: Float = 3.2e-5
  /// Longer than the time between two reports of a meter, seconds.
  private static let quiet = 0.2

  /// Seconds until a unit has decayed to -90 dB; units declare their tails to -60 dB.
  fileprivate static func tail(of unit: RackUnit) -> Double { 1.5 * unit.audioUnit.tailTime }

  /// Notes the peak of a unit's meter.
  mutating func note(_ identifier: UInt32, peak: Float, at time: Int64) {
    guard peak > Self.silence else { return }
    for place in units.indices where units[place].unit.identifier == identifier {
      units[place].lastHeard = time
    }
  }

  /// Starts to measure silence, whatever was noted before.
  mutating func listen(from time: Int64) {
    for place in units.indices { units[place].lastHeard = time }
  }

  /// The units that have decayed; `ownCount` counts the rack's own units.
  mutating func decayedUnits(at time: Int64, sampleRate: Double, ownCount: Int) -> Set<UInt32> {
    let fed = Set(
      cables.filter { $0.source.unit != $0.destination.unit }.compactMap(\.destination.unit))
    var decayed: Set<UInt32> = []
    for place in units.indices {
      let isFed = fed.contains(ownCount + place)
      if isFed { units[place].start = time }
      let unit = units[place]
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
  /// A unit that is removed now.
  init(_ unit: RackUnit, isPassage: Bool, at time: Int64, sampleRate: Double) {
    let tail = Spillover.tail(of: unit)
    let most = max(Spillover.usualMost, tail.isFinite ? tail : 0)
    self.init(
      unit: unit, isPassage: isPassage, start: time, lastHeard: time,
      end: time + Int64(most * sampleRate))
  }
}
