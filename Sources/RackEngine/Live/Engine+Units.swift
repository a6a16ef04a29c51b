import AudioUnits
import RackModel

/// A unit of a rack that plays, and what the rack calls it.
package struct NamedUnit: Sendable {
  package var name: String
  package var audioUnit: AudioUnit
}

package typealias RackObserver = @Sendable ([NamedUnit]) -> Void

extension Engine {
  /// In the order of the plan, with what the render side has made of them by now.
  package var namedUnits: [NamedUnit] {
    (rack?.units ?? []).map { unit in
      unit.audioUnit.takeRenderChanges()
      return NamedUnit(name: unit.name, audioUnit: unit.audioUnit)
    }
  }

  /// The unit that the rack calls by that name, with the values of the render side; nil where there is
  /// no such unit.
  public func audioUnit(named name: String) -> AudioUnit? {
    let unit = rack?.units.first { $0.name == name }?.audioUnit
    unit?.takeRenderChanges()
    return unit
  }

  /// From now on `observer` is told of the rack that plays, and of each that comes in its place.
  package func observeRack(_ observer: @escaping RackObserver) {
    rackObserver = observer
    observer(namedUnits)
  }

  /// From now on `observer` is told of each bypass that MIDI, a scene or a lane moves.
  package func observeBypasses(
    _ observer: @escaping @Sendable (_ unit: String, _ isBypassed: Bool) -> Void
  ) {
    bypassObserver = observer
  }

  /// Tells of bypasses that the render side has moved.
  func tellBypasses() {
    for (place, unit) in (rack?.units ?? []).enumerated() {
      let isBypassed = unit.audioUnit.shouldBypassEffect
      guard snapshot.units[place].isBypassed != isBypassed else { continue }
      snapshot.units[place].isBypassed = isBypassed
      bypassObserver?(unit.name, isBypassed)
    }
  }

  /// From now on `observer` receives the commands that controls and programs call.
  package func observeCommands(_ observer: @escaping @Sendable (ControlCommand) -> Void) {
    commandObserver = observer
  }

  /// Tells the musician something that the engine does not find out by itself.
  public func tell(_ event: EngineEvent) { continuation.yield(event) }

  /// Bypasses a unit, or not, with a crossfade.
  ///
  /// - Throws: `RackError` if there is no such unit.
  package func setBypass(_ name: String, to isBypassed: Bool) throws(RackError) {
    guard let unit = audioUnit(named: name) else { throw RackError("there is no unit \(name)") }
    unit.shouldBypassEffect = isBypassed
    if let place = snapshot.units.firstIndex(where: { $0.name == name }) {
      snapshot.units[place].isBypassed = isBypassed
    }
  }
}
