import Documents
import UnitModel

/// Finds what `ring.frequency` and `ring.bypass` stand for.
struct TargetResolver {
  let names: RackNames
  let units: [ResolvedUnit]

  static let bypass = "bypass"

  /// Whether a unit is bypassed, as a parameter that it does not have.
  static let bypassInfo = ParameterInfo(
    identifier: bypass, name: "Bypass", unit: .boolean, minimum: 0, maximum: 1, defaultValue: 0)

  /// The target and what it takes; nil where that has been said, or the unit itself is wrong.
  func resolve(
    _ path: Located<String>, diagnostics: inout DiagnosticCollector
  ) -> (ControlTarget, ParameterInfo)? {
    let parts = path.value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      diagnostics.error(
        path.position,
        "“\(path.value)” names no parameter; that is UNIT.PARAMETER, or UNIT.\(Self.bypass)")
      return nil
    }
    guard case .unit(let index)? = names.owners[String(parts[0])] else {
      diagnostics.error(
        path.position, "there is no unit “\(parts[0])” in this rack",
        suggestion: nearestWord(to: String(parts[0]), in: units.map(\.name)))
      return nil
    }
    let unit = units[index]
    if parts[1] == Self.bypass { return (.bypass(unit: index), Self.bypassInfo) }
    guard let facts = unit.facts else { return nil }
    guard
      let parameter = facts.parameter(
        atKeyPath: String(parts[1]), inputBusCount: unit.inputBusCount)
    else {
      let known = facts.allParameters(inputBusCount: unit.inputBusCount).map(\.keyPath)
      diagnostics.error(
        path.position, "“\(parts[0])” has no parameter “\(parts[1])”",
        suggestion: nearestWord(to: String(parts[1]), in: known + [Self.bypass]).map {
          "\(parts[0]).\($0)"
        })
      return nil
    }
    guard parameter.info.flags.contains(.writable) else {
      diagnostics.error(path.position, "“\(path.value)” can be read, but not set")
      return nil
    }
    return (.parameter(unit: index, address: parameter.address), parameter.info)
  }

  /// A value as written for what was resolved; nil where it is none, which has been said.
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
