import RackModel

/// What is still heard of units that a rack has no more: their tails, and the ways that these take.
struct Trail {
  /// A unit into which nothing new comes.
  struct Unit {
    let unit: RackUnit
    /// Nothing of its own: it is on the way of others.
    let isWay: Bool
    /// Since when nothing comes into it, not even of others; frames of the engine.
    fileprivate var began: Int64
    /// When it was last heard, frames of the engine.
    fileprivate var lastHeard: Int64
    /// When it goes at the latest, frames of the engine.
    fileprivate var end: Int64
  }

  private(set) var units: [Unit] = []
  /// From these units to each other, and on to what is there. Units are counted from the rack's own
  /// on, whose places come first.
  private(set) var cables: [Cable] = []

  init(_ units: [Unit] = [], cables: [Cable] = []) {
    (self.units, self.cables) = (units, cables)
    // A way is there for as long as anything may come along it.
    guard let latest = units.filter({ !$0.isWay }).map(\.end).max() else { return }
    for place in units.indices where units[place].isWay { self.units[place].end = latest }
  }

  /// The names of those whose tails are heard.
  var names: [String] { units.filter { !$0.isWay }.map(\.unit.name) }

  /// Longest that something is heard which declares no longer tail, or an endless one; seconds.
  fileprivate static let usualMost = 30.0
  /// -90 dB
  private static let silence: Float = 3.2e-5
  /// Longer than the time between two reports of a meter, seconds.
  private static let quiet = 0.2

  /// Seconds for which a unit may sound. Tails are told to -60 dB, and half as much again leads to
  /// -90 dB.
  fileprivate static func tail(of unit: RackUnit) -> Double { 1.5 * unit.audioUnit.tailTime }

  /// Takes what a unit's meter shows.
  mutating func note(_ identifier: UInt32, peak: Float, at time: Int64) {
    guard peak > Self.silence else { return }
    for place in units.indices where units[place].unit.identifier == identifier {
      units[place].lastHeard = time
    }
  }

  /// Begins to listen, of whatever has been told before.
  mutating func listen(from time: Int64) {
    for place in units.indices { units[place].lastHeard = time }
  }

  /// Those that have nothing more to say; `ownCount` counts the rack's own units.
  mutating func over(at time: Int64, sampleRate: Double, ownCount: Int) -> Set<UInt32> {
    let fed = Set(
      cables.filter { $0.source.unit != $0.destination.unit }.compactMap(\.destination.unit))
    var over: Set<UInt32> = []
    for place in units.indices {
      let isFed = fed.contains(ownCount + place)
      if isFed { units[place].began = time }
      let unit = units[place]
      let hasDecayed =
        unit.isWay
        || Double(time - unit.began) >= Self.tail(of: unit.unit) * sampleRate
          && Double(time - unit.lastHeard) >= Self.quiet * sampleRate
      if time >= unit.end || hasDecayed && !isFed { over.insert(unit.unit.identifier) }
    }
    return over
  }
}

extension Trail.Unit {
  /// A unit that goes now.
  init(_ unit: RackUnit, isWay: Bool, at time: Int64, sampleRate: Double) {
    let tail = Trail.tail(of: unit)
    let most = max(Trail.usualMost, tail.isFinite ? tail : 0)
    self.init(
      unit: unit, isWay: isWay, began: time, lastHeard: time,
      end: time + Int64(most * sampleRate))
  }
}
