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
    for index in modulations.indices {
      if let target = modulations[index].target?.value {
        modulations[index].target?.value = renamed(target)
      }
      if let source = modulations[index].source?.value, source.chainUnitName == unit {
        modulations[index].source?.value = name + source.dropFirst(unit.count)
      }
    }
    for index in controls.indices {
      guard let target = controls[index].target?.value, !target.hasPrefix("scene ") else {
        continue
      }
      let call = CalledCommand(written: target, in: targets)
      let moved = call.flatMap { call in call.file.map { "\(call.onFile(renamed($0)))" } }
      controls[index].target?.value = moved ?? renamed(target)
    }
    for index in scenes.indices {
      for number in scenes[index].values.indices {
        let key = scenes[index].values[number].key.value
        scenes[index].values[number].key.value = renamed(key)
      }
    }
    for index in exposed.indices { exposed[index].value = renamed(exposed[index].value) }
    for index in automation.indices {
      automation[index].target.value = renamed(automation[index].target.value)
    }
    for index in loadedAutomation.indices {
      loadedAutomation[index].target.value = renamed(loadedAutomation[index].target.value)
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
    for index in scenes.indices { scenes[index].values.removeAll { isGone($0.key.value) } }
    exposed.removeAll { isGone($0.value) }
    automation.removeAll { isGone($0.target.value) }
    loadedAutomation.removeAll { isGone($0.target.value) }
  }
}
