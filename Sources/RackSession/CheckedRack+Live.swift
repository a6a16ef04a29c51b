import AudioUnits
import RackEngine
import RackModel

extension CheckedRack {
  /// The rack with the present values and bypasses of its units.
  func withValues(of units: [NamedUnit]) -> CheckedRack {
    taking(
      Dictionary(
        units.map { unit in
          let audioUnit = unit.audioUnit
          let values = LiveValues(
            facts: audioUnit.facts, isBypassed: audioUnit.shouldBypassEffect,
            value: { audioUnit.parameterValue($0) })
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
  func starting(in scene: PlannedScene, catalogue: any UnitDirectory) -> CheckedRack {
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
      guard let facts = try? catalogue.facts(for: unit.reference).first else { continue }
      units[unit.name] = LiveValues(
        facts: facts, isBypassed: bypasses[place] ?? unit.isBypassed,
        value: { values[place]?[$0] })
    }
    return overridden(with: units)
  }
}
