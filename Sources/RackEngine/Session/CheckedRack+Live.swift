import AudioUnits
import RackModel

extension CheckedRack {
  /// The same rack, written with the values and bypasses that its units have now.
  func taking(_ units: [NamedUnit]) -> CheckedRack {
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
}
