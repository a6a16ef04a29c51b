import AudioUnits
import CKernel
import RackModel

/// A unit of the rack that plays.
package struct NamedUnit: Sendable {
  package var id: UnitID
  /// The unit's name in the rack.
  package var name: String
  package var audioUnit: AudioUnit
}

extension Plan {
  /// Returns the plan with the units' present parameter values, those that lanes move included, and bypasses.
  package func withValues(of units: [NamedUnit]) -> Plan {
    var plan = self
    for (index, planned) in plan.units.enumerated() {
      guard let unit = units.first(where: { $0.id == planned.id })?.audioUnit,
        unit.facts.component == planned.component
      else { continue }
      let values = UnitValues(
        parameters: unit.parameterValues, isBypassed: unit.shouldBypassEffect)
      plan.units[index].adopt(values, of: unit.facts)
    }
    return plan
  }
}

/// A change of the rack that the engine's observer receives.
package enum EngineChange: Sendable {
  /// The units of the rack that plays from now on.
  case rack([NamedUnit])
  /// MIDI, a scene or a lane has moved a bypass.
  case bypass(unit: String, isBypassed: Bool)
  /// A person moves a parameter in the unit's own interface.
  case gesture(unit: String, UnitGesture)
  /// A program chooses a song.
  case song(String)
  /// A control calls a command.
  case command(CalledCommand)
  /// An event for the musician.
  case event(EngineEvent, LogEntry)
}

extension Engine {
  /// The rack's units in the order of the plan, with the present values of the render side.
  package var namedUnits: [NamedUnit] { rack?.namedUnits ?? [] }

  /// Returns the unit of this name, with the present values of the render side; nil if the rack has none.
  public func audioUnit(named name: String) -> AudioUnit? {
    let unit = rack?.units.first { $0.name == name }?.audioUnit
    unit?.applyRenderChanges()
    return unit
  }

  /// Sends changes to this observer alone from now on, starting with the present units.
  package func observe(_ observer: @escaping @Sendable (EngineChange) -> Void) {
    log.observer = observer
    observer(.rack(namedUnits))
  }

  /// Applies the render side's changes of units, and reports changed bypasses.
  func followUnits() {
    for (index, unit) in (rack?.units ?? []).enumerated() where unit.mayHaveChanged {
      unit.applyRenderChanges()
      if unit.audioUnit.limitLatencyChanges() {
        report(
          .warning(
            "\(unit.name): its latency has changed 20 times in 30 s; it counts as"
              + " \(unit.audioUnit.latency) frames until it is steady"))
      }
      let isBypassed = unit.audioUnit.shouldBypassEffect
      guard snapshot.units[index].isBypassed != isBypassed else { continue }
      snapshot.units[index].isBypassed = isBypassed
      log.observer?(.bypass(unit: unit.name, isBypassed: isBypassed))
    }
  }

  /// The paths of the files that the rack's units read, missing ones included.
  package var unitFiles: [String] { (rack?.units ?? []).flatMap(\.filePaths) }

  /// The files that have changed since the rack's units read them, and missing files that exist now; by path.
  package var changedUnitFiles: [String: FileStamp] {
    (rack?.units ?? []).reduce(into: [:]) { $0.merge($1.changedFiles) { first, _ in first } }
  }

  /// Reports an event to the musician.
  public func report(_ event: EngineEvent) { log.add(event) }

  /// The logged events, oldest first.
  package var logEntries: [LogEntry] { log.entries }

  /// Bypasses a unit, or not, with a crossfade.
  ///
  /// - Throws: `RackError` if there is no such unit.
  package func setBypass(_ name: String, to isBypassed: Bool) throws(RackError) {
    guard let unit = audioUnit(named: name) else { throw RackError("there is no unit \(name)") }
    unit.shouldBypassEffect = isBypassed
    if let index = snapshot.units.firstIndex(where: { $0.name == name }) {
      snapshot.units[index].isBypassed = isBypassed
    }
  }
}
