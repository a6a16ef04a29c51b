/// A key, or key path, and its value as written.
public struct SettingEntry: Sendable, Equatable {
  public var key: Located<String>
  public var value: Located<String>

  public init(key: Located<String>, value: Located<String>) {
    (self.key, self.value) = (key, value)
  }
}

extension DiagnosticCollector {
  /// Keys and values; groups within groups become key paths.
  package mutating func settings(_ value: YAMLValue, of key: String) -> [SettingEntry] {
    entries(value, of: key).flatMap { key, value -> [SettingEntry] in
      if case .mapping = value.content {
        return settings(value, of: key.value).map { entry in
          var entry = entry
          entry.key = Located("\(key.value).\(entry.key.value)", at: entry.key.position)
          return entry
        }
      }
      if value.isNull, key.value.first?.isNumber == true, key.value.contains(" ") {
        error(
          key.position,
          "“\(key.value)” has no value; is it what follows a decimal comma? Write a point")
        return []
      }
      guard let text = text(value, of: key.value) else { return [] }
      return [SettingEntry(key: key, value: text)]
    }
  }
}
