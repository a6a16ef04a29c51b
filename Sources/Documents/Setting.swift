/// A key, or key path, and its value as written in a file.
public struct Setting: Sendable, Equatable {
  public var key: Located<String>
  public var value: Located<String>

  package init(key: Located<String>, value: Located<String>) {
    (self.key, self.value) = (key, value)
  }

  /// Creates a setting that no file contains.
  public init(_ key: String, _ value: String) {
    self.init(key: Located(key), value: Located(value))
  }
}

extension DiagnosticCollector {
  /// Returns keys and values; nested groups become key paths.
  package func settings(_ value: YAMLValue, of key: String) -> [Setting] {
    settings(pairs(value, of: key) ?? [])
  }

  func settings(_ pairs: [YAMLPair]) -> [Setting] {
    pairs.flatMap { pair -> [Setting] in
      let (key, value) = (pair.key, pair.value)
      if case .mapping(let pairs) = value.content {
        return settings(pairs).map { entry in
          var entry = entry
          entry.key = Located("\(key.value).\(entry.key.value)", at: entry.key.position)
          return entry
        }
      }
      if value.isNull, key.value.first?.isNumber == true, key.value.contains(" ") {
        error(
          key.position,
          "“\(key.value)” has no value; write a decimal point for a decimal comma")
        return []
      }
      guard let text = text(value, of: key.value) else { return [] }
      return [Setting(key: key, value: text)]
    }
  }
}

extension YAMLValue {
  /// Changes a map of settings, some of them in groups. `indices` has each setting's index in
  /// `former`; a setting whose key differs there is renamed.
  mutating func updateSettings(
    from former: [Setting], to settings: [Setting], indices: [Int?]
  ) {
    for (index, entry) in former.enumerated() where !indices.contains(index) {
      setSetting(entry.key.value, to: nil)
    }
    for (entry, index) in zip(settings, indices) {
      let old = index.map { former[$0] }
      if let old, old.key.value != entry.key.value {
        renameSetting(old.key.value, to: entry.key.value)
      }
      if old?.value.value != entry.value.value {
        setSetting(entry.key.value, to: entry.value.value)
      }
    }
  }

  /// Sets the value where the path is written, or else in the group that it belongs to.
  private mutating func setSetting(_ path: String, to text: String?) {
    if let index = pairs.firstIndex(where: { $0.key.value == path }) {
      if let text {
        pairs[index].value = pairs[index].value.saying(text)
      } else {
        pairs.remove(at: index)
      }
      return
    }
    for index in pairs.indices {
      let group = pairs[index].key.value
      guard case .mapping = pairs[index].value.content, path.hasPrefix("\(group).") else {
        continue
      }
      pairs[index].value.setSetting(String(path.dropFirst(group.count + 1)), to: text)
      if pairs[index].value.pairs.isEmpty { pairs.remove(at: index) }
      return
    }
    if let text { self[path] = .text(text) }
  }

  /// Renames a setting, even if it is written in a group: `ring: { frequency: 30 Hz }`.
  private mutating func renameSetting(_ path: String, to new: String) {
    if let index = pairs.firstIndex(where: { $0.key.value == path }) {
      pairs[index].key.value = new
      return
    }
    let (group, name) = (path.prefix { $0 != "." }, new.prefix { $0 != "." })
    if group != name, let index = pairs.firstIndex(where: { $0.key.value == group }) {
      pairs[index].key.value = String(name)
    }
  }
}
