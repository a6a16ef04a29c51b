import Documents
import UnitModel

/// Resolves targets such as `ring.frequency` and `ring.bypass`.
struct TargetResolver {
  let names: RackNames
  let units: [ResolvedUnit]

  /// The target and its parameter; nil after an error, or where the unit itself is wrong.
  func resolve(
    _ path: Located<String>, diagnostics: inout DiagnosticCollector
  ) -> (ControlTarget, ParameterInfo)? {
    guard let parsed = try? ParameterPath(path.value) else {
      diagnostics.error(
        path.position,
        "“\(path.value)” names no parameter; that is UNIT.PARAMETER, or "
          + "UNIT.\(ParameterPath.bypass)")
      return nil
    }
    guard case .unit(let index)? = names.owners[parsed.unit] else {
      diagnostics.error(
        path.position, "there is no unit “\(parsed.unit)” in this rack",
        suggestion: nearestWord(to: parsed.unit, in: units.map(\.name)))
      return nil
    }
    let unit = units[index]
    if parsed.isBypass { return (.bypass(unit: index), .bypass) }
    guard let facts = unit.facts else { return nil }
    guard
      let parameter = facts.parameter(
        atKeyPath: parsed.keyPath, inputBusCount: unit.inputBusCount)
    else {
      let known = facts.allParameters(inputBusCount: unit.inputBusCount).map(\.keyPath)
      diagnostics.error(
        path.position, "“\(parsed.unit)” has no parameter “\(parsed.keyPath)”",
        suggestion: nearestWord(to: parsed.keyPath, in: known + [ParameterPath.bypass]).map {
          "\(parsed.unit).\($0)"
        })
      return nil
    }
    guard parameter.info.flags.contains(.writable) else {
      diagnostics.error(path.position, "“\(path.value)” can be read, but not set")
      return nil
    }
    return (.parameter(unit: index, address: parameter.address), parameter.info)
  }

  /// A written value for a resolved target; nil after an error.
  func value(
    _ text: Located<String>, _ info: ParameterInfo, name: String,
    diagnostics: inout DiagnosticCollector
  ) -> Float? {
    do {
      return try Quantity.parse(text.value, for: info, name: name)
    } catch {
      diagnostics.error(text.position, error.description, suggestion: error.suggestion)
      return nil
    }
  }
}
