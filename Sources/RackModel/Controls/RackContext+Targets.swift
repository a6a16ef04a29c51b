import Documents
import UnitModel

/// Resolves targets such as `ring.frequency` and `ring.bypass`, and values for them.
extension RackContext {
  /// Returns the target and its parameter's description; nil after an error, or where the unit itself is
  /// missing.
  ///
  /// - Parameter mayBeRead: whether a read-only parameter is accepted.
  func target(
    _ path: Located<String>, mayBeRead: Bool = false
  ) -> (ControlTarget, ParameterInfo)? {
    guard let parsed = try? ParameterPath(path.value) else {
      diagnostics.error(
        path.position,
        "“\(path.value)” is not a parameter; write UNIT.PARAMETER or "
          + "UNIT.\(ParameterPath.bypass)")
      return nil
    }
    guard case .unit(let index)? = owners[parsed.unit] else {
      diagnostics.error(
        path.position, "there is no unit “\(parsed.unit)” in this rack",
        suggestion: nearestWord(to: parsed.unit, in: units.map(\.name)))
      return nil
    }
    let unit = units[index]
    if unit.isOfflineEffect {
      diagnostics.error(
        path.position,
        "“\(unit.name)” is an offline effect, which keeps its settings while it is rendered")
      return nil
    }
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
    guard mayBeRead || parameter.info.flags.contains(.writable) else {
      diagnostics.error(path.position, "“\(path.value)” can be read, but not set")
      return nil
    }
    return (.parameter(unit: index, address: parameter.address), parameter.info)
  }

  /// Returns the parameters that a rack exposes, each once; reports duplicates.
  func exposed(_ paths: [Located<String>]) -> [ControlTarget] {
    var found: [ControlTarget] = []
    for path in paths {
      guard let (target, _) = target(path, mayBeRead: true) else { continue }
      if found.contains(target) {
        diagnostics.error(path.position, "“\(path.value)” is exposed twice")
      } else {
        found.append(target)
      }
    }
    return found
  }

  /// Returns the value of a text in the parameter's unit; nil after an error.
  func value(_ text: Located<String>, for info: ParameterInfo, name: String) -> Float? {
    diagnostics.value(of: text) { text throws(Refusal) in
      try Quantity.parse(text, for: info, name: name)
    }
  }
}
