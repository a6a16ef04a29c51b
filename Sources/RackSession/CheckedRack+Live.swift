import AudioUnits
import RackEngine
import RackModel

extension CheckedRack {
  /// The rack with the present values and bypasses of its units, and the targets of these ramps.
  func withValues(of units: [NamedUnit], ramps: [Ramp] = []) -> CheckedRack {
    taking(
      Dictionary(
        units.map { unit in
          let audioUnit = unit.audioUnit
          let values = LiveValues(
            facts: audioUnit.facts, isBypassed: audioUnit.shouldBypassEffect,
            value: { address in
              let value = audioUnit.parameterValue(address)
              let ramp = ramps.first {
                $0.path.unit == unit.name && $0.address == address && $0.value == value
              }
              return ramp?.to ?? value
            })
          return (unit.name, values)
        }
      ) { first, _ in first })
  }

  /// The same, including the values that lanes have moved.
  func withAllValues(of units: [NamedUnit]) -> CheckedRack {
    var rack = self
    rack.plan.automation = []
    return rack.withValues(of: units)
  }

  /// The rack with the values of a scene.
  func starting(in scene: PlannedScene) -> CheckedRack {
    var bypasses: [Int: Bool] = [:]
    var values: [Int: [UInt64: Float]] = [:]
    for value in scene.values {
      switch value.target {
      case .bypass(let place): bypasses[place] = value.value >= 0.5
      case .parameter(let place, let address): values[place, default: [:]][address] = value.value
      }
    }
    var units: [String: LiveValues] = [:]
    for place in Set(bypasses.keys).union(values.keys) {
      let unit = plan.units[place]
      units[unit.name] = LiveValues(
        facts: unit.facts, isBypassed: bypasses[place] ?? unit.isBypassed,
        value: { values[place]?[$0] })
    }
    return overridden(with: units)
  }
}
