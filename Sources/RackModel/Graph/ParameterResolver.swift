import Documents
import UnitModel

/// Resolves key paths and values as written against one unit.
struct ParameterResolver {
  let facts: UnitFacts
  let inputBusCount: Int

  /// The preset's values overlaid by those of the file, in order of address.
  func parameters(
    _ entries: [SettingEntry], preset: UnitState?, diagnostics: inout DiagnosticCollector
  ) -> [PlannedParameter] {
    var values = preset?.values(for: facts, inputBusCount: inputBusCount) ?? [:]
    var firstPositions: [UInt64: SourcePosition] = [:]
    for entry in entries {
      guard
        let reference = facts.parameter(
          atKeyPath: entry.key.value, inputBusCount: inputBusCount)
      else {
        reportUnknown(entry, diagnostics: &diagnostics)
        continue
      }
      if let first = firstPositions[reference.address] {
        diagnostics.error(
          entry.key.position, "“\(entry.key.value)” is given twice, first on line \(first.line)")
        continue
      }
      firstPositions[reference.address] = entry.key.position
      guard reference.info.flags.contains(.writable) else {
        diagnostics.error(entry.key.position, "“\(entry.key.value)” can be read, but not set")
        continue
      }
      do {
        values[reference.address] = try Quantity.parse(
          entry.value.value, for: reference.info, name: entry.key.value)
      } catch {
        diagnostics.error(entry.value.position, error.description, suggestion: error.suggestion)
      }
    }
    return values.sorted { $0.key < $1.key }.compactMap { address, value in
      facts.parameter(at: address).map {
        PlannedParameter(address: address, keyPath: $0.keyPath, value: value)
      }
    }
  }

  private func reportUnknown(_ entry: SettingEntry, diagnostics: inout DiagnosticCollector) {
    let wanted = entry.key.value
    if facts.properties.contains(where: { $0.identifier == wanted }) {
      diagnostics.error(
        entry.key.position, "“\(wanted)” is a property; write it under “properties”")
      return
    }
    let known = facts.allParameters(inputBusCount: inputBusCount).map(\.keyPath)
    // A last part that only one parameter has is as good as its whole path.
    let likely =
      known.first { $0.hasSuffix(".\(wanted)") } ?? nearestWord(to: wanted, in: known)
    diagnostics.error(
      entry.key.position,
      "“\(facts.component)” has no parameter “\(wanted)”; “backline show "
        + "\(facts.component)” lists those there are", suggestion: likely)
  }
}
