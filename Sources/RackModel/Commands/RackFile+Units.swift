import Documents

/// What stands in a rack file about a unit besides its entry and its cables.
extension RackFile {
  /// Controls, scenes and lanes go on to mean a unit that has another name now.
  mutating func renameTargets(of unit: String, to name: String) {
    func renamed(_ text: String) -> String {
      text.unitName == unit ? name + text.dropFirst(unit.count) : text
    }
    for place in controls.indices {
      guard let target = controls[place].target?.value, !target.hasPrefix("scene ") else {
        continue
      }
      controls[place].target?.value = renamed(target)
    }
    for place in scenes.indices {
      for number in scenes[place].values.indices {
        let key = scenes[place].values[number].key.value
        scenes[place].values[number].key.value = renamed(key)
      }
    }
    for place in automation.indices {
      automation[place].target.value = renamed(automation[place].target.value)
    }
    for place in loadedAutomation.indices {
      loadedAutomation[place].target.value = renamed(loadedAutomation[place].target.value)
    }
  }

  /// Nothing moves or sets what a unit does not have any more, or a unit that is gone.
  ///
  /// - Parameter has: does the unit still have the parameter of that key path?
  mutating func removeTargets(of unit: String, unless has: (String) -> Bool = { _ in false }) {
    func isGone(_ text: String) -> Bool {
      text.unitName == unit && !has(String(text.dropFirst(unit.count + 1)))
    }
    controls.removeAll { $0.target.map { isGone($0.value) } ?? false }
    for place in scenes.indices { scenes[place].values.removeAll { isGone($0.key.value) } }
    automation.removeAll { isGone($0.target.value) }
    loadedAutomation.removeAll { isGone($0.target.value) }
  }
}
