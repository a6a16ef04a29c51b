import Documents

/// Reads a unit's state from a YAML tree.
struct UnitStateReader {
  var diagnostics: DiagnosticCollector
  let facts: (ComponentDescription) -> UnitFacts?

  mutating func state(from value: YAMLValue) -> UnitState? {
    guard case .mapping(let pairs) = value.content else {
      diagnostics.error(
        value.position, "a preset is a map that begins with “preset: NAME”, not \(value.kind)")
      return nil
    }
    var state = UnitState(component: ComponentDescription(), version: 0)
    var settings: [SettingEntry] = []
    var hasUnit = false
    for (key, value) in pairs.map({ ($0.key, $0.value) }) {
      switch key.value {
      case "preset": state.presetName = diagnostics.text(value, of: "preset")?.value
      case "number": state.presetNumber = diagnostics.count(value, of: "number")?.value
      case "unit":
        hasUnit = true
        if let component = component(value) { state.component = component }
      case "version": state.version = version(value) ?? 0
      case "parameters": settings = diagnostics.settings(value, of: "parameters")
      case "properties":
        for entry in diagnostics.settings(value, of: "properties") {
          state.properties[entry.key.value] = entry.value.value
        }
      default: state.unknownEntries.append(.init(key: key.value, value: value))
      }
    }
    if !hasUnit {
      diagnostics.error(
        value.position, "the preset does not say which unit it is for, as in unit: aufx/dely/bkln")
    }
    read(settings, into: &state)
    return state
  }

  private mutating func component(_ value: YAMLValue) -> ComponentDescription? {
    guard let text = diagnostics.text(value, of: "unit") else { return nil }
    if let component = ComponentDescription(text.value), !component.hasWildcard {
      return component
    }
    diagnostics.error(
      text.position,
      "“\(text.value)” is not a unit; write type/subtype/manufacturer, as in aufx/dely/bkln")
    return nil
  }

  private mutating func version(_ value: YAMLValue) -> UInt32? {
    guard let text = diagnostics.text(value, of: "version") else { return nil }
    if let version = UnitFacts.version(written: text.value) { return version }
    diagnostics.error(text.position, "“\(text.value)” is not a version; write it like 1.0.0")
    return nil
  }

  private mutating func read(_ settings: [SettingEntry], into state: inout UnitState) {
    let unit = facts(state.component)
    for entry in settings {
      let parameter = unit?.parameter(
        atKeyPath: entry.key.value, inputBusCount: unit?.maximumInputBusCount)
      guard let parameter else {
        state.unknownParameters[entry.key.value] = entry.value.value
        if let unit { warn(of: entry, in: unit) }
        continue
      }
      do {
        state.parameters[parameter.keyPath] = try Quantity.parse(
          entry.value.value, for: parameter.info, name: entry.key.value)
      } catch {
        diagnostics.error(entry.value.position, error.description, suggestion: error.suggestion)
      }
    }
  }

  private mutating func warn(of entry: SettingEntry, in unit: UnitFacts) {
    diagnostics.warning(
      entry.key.position,
      "“\(unit.component)” has no parameter “\(entry.key.value)”; it is kept and does nothing",
      suggestion: nearestWord(to: entry.key.value, in: unit.allParameters().map(\.keyPath)))
  }
}
