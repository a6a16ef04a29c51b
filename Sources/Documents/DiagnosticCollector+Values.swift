/// Reads parts of a YAML tree; errors are collected, and reading goes on.
extension DiagnosticCollector {
  /// The pairs of a map; nil, and an error, where the value is not a map.
  package mutating func pairs(_ value: YAMLValue, of key: String) -> [YAMLPair]? {
    if case .mapping(let pairs) = value.content { return pairs }
    error(value.position, "“\(key)” must be a map, not \(value.kind)")
    return nil
  }

  /// The same as keys and values; empty where the value is not a map.
  package mutating func entries(
    _ value: YAMLValue, of key: String
  ) -> [(key: Located<String>, value: YAMLValue)] {
    (pairs(value, of: key) ?? []).map { ($0.key, $0.value) }
  }

  /// The values of a list; nil, and an error, where the value is not a list.
  ///
  /// - Parameter example: what follows "must be a list".
  package mutating func items(
    _ value: YAMLValue, of key: String, _ example: String
  ) -> [YAMLValue]? {
    if case .sequence(let values) = value.content { return values }
    error(value.position, "“\(key)” must be a list \(example), not \(value.kind)")
    return nil
  }

  package mutating func text(_ value: YAMLValue, of key: String) -> Located<String>? {
    guard case .scalar(let text, _) = value.content, !value.isNull else {
      error(
        value.position, "“\(key)” must have a text or a number for its value, not \(value.kind)")
      return nil
    }
    return Located(text, at: value.position)
  }

  package mutating func count(_ value: YAMLValue, of key: String) -> Located<Int>? {
    guard case .scalar(let text, _) = value.content, let number = Int(text) else {
      error(value.position, "“\(key)” must be a whole number, not \(value.kind)")
      return nil
    }
    return Located(number, at: value.position)
  }

  package mutating func boolean(_ value: YAMLValue, of key: String) -> Bool? {
    if case .scalar(let text, _) = value.content {
      switch text.lowercased() {
      case "true", "on", "yes": return true
      case "false", "off", "no": return false
      default: break
      }
    }
    error(value.position, "“\(key)” must be true or false, not \(value.kind)")
    return nil
  }

  package mutating func unknown(_ key: Located<String>, in place: String, known: [String]) {
    error(
      key.position, "\(place) has no “\(key.value)”; it has \(known.joined(separator: ", "))",
      suggestion: nearestWord(to: key.value, in: known))
  }
}
