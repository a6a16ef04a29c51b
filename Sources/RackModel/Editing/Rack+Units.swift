import Documents

/// Edits the modulations, controls, scenes, exposed parameters and lanes of a unit.
extension Rack {
  /// Renames a unit in modulations, controls, scenes, exposed parameters and lanes.
  mutating func renameTargets(
    of unit: String, to name: String, _ targets: [CalledCommand.Form]
  ) {
    func renamed(_ text: String) -> String {
      text.unitName == unit ? name + text.dropFirst(unit.count) : text
    }
    for place in modulations.indices {
      if let target = modulations[place].target?.value {
        modulations[place].target?.value = renamed(target)
      }
      if let source = modulations[place].source?.value, source.chainUnitName == unit {
        modulations[place].source?.value = name + source.dropFirst(unit.count)
      }
    }
    for place in controls.indices {
      guard let target = controls[place].target?.value, !target.hasPrefix("scene ") else {
        continue
      }
      let call = CalledCommand(written: target, in: targets)
      let moved = call.flatMap { call in call.file.map { "\(call.onFile(renamed($0)))" } }
      controls[place].target?.value = moved ?? renamed(target)
    }
    for place in scenes.indices {
      for number in scenes[place].values.indices {
        let key = scenes[place].values[number].key.value
        scenes[place].values[number].key.value = renamed(key)
      }
    }
    for place in exposed.indices { exposed[place].value = renamed(exposed[place].value) }
    for place in automation.indices {
      automation[place].target.value = renamed(automation[place].target.value)
    }
    for place in loadedAutomation.indices {
      loadedAutomation[place].target.value = renamed(loadedAutomation[place].target.value)
    }
  }

  /// Removes the modulations whose source is a unit.
  mutating func removeModulations(by unit: String) {
    modulations.removeAll { $0.source?.value.chainUnitName == unit }
  }

  /// Removes the modulations, controls, scene values, exposed parameters and lanes of parameters that a
  /// unit lacks.
  ///
  /// - Parameter has: whether the unit has the parameter with a key path.
  mutating func removeTargets(
    of unit: String, _ targets: [CalledCommand.Form],
    unless has: (String) -> Bool = { _ in false }
  ) {
    func isGone(_ text: String) -> Bool {
      text.unitName == unit && !has(String(text.dropFirst(unit.count + 1)))
    }
    modulations.removeAll { $0.target.map { isGone($0.value) } ?? false }
    controls.removeAll { control in
      guard let target = control.target?.value else { return false }
      return isGone(CalledCommand(written: target, in: targets)?.file ?? target)
    }
    for place in scenes.indices { scenes[place].values.removeAll { isGone($0.key.value) } }
    exposed.removeAll { isGone($0.value) }
    automation.removeAll { isGone($0.target.value) }
    loadedAutomation.removeAll { isGone($0.target.value) }
  }
}
