import Documents

/// What stands in a rack file about a unit besides its entry and its cables.
extension RackFile {
  /// Controls and scenes go on to mean a unit that has another name now.
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
  }

  /// Nothing moves or sets a unit that is gone.
  mutating func removeTargets(of unit: String) {
    controls.removeAll { control in
      guard let target = control.target?.value, !target.hasPrefix("scene ") else { return false }
      return target.unitName == unit
    }
    for place in scenes.indices {
      scenes[place].values.removeAll { $0.key.value.unitName == unit }
    }
  }
}
