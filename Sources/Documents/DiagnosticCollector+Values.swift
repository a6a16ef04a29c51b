/// Reads parts of a YAML tree; errors are collected.
extension DiagnosticCollector {
  /// Returns the pairs of a map; nil, and an error, if the value is not a map.
  package func pairs(_ value: YAMLValue, of key: String) -> [YAMLPair]? {
    if case .mapping(let pairs) = value.content { return pairs }
    error(value.position, "“\(key)” must be a map, not \(value.kind)")
    return nil
  }

  /// Returns the items of a list; nil, and an error, if the value is not a list.
  ///
  /// - Parameter example: the words after "must be a list".
  package func items(
    _ value: YAMLValue, of key: String, _ example: String
  ) -> [YAMLValue]? {
    if case .sequence(let values) = value.content { return values }
    error(value.position, "“\(key)” must be a list \(example), not \(value.kind)")
    return nil
  }

  package func text(_ value: YAMLValue, of key: String) -> Located<String>? {
    guard case .scalar(let text, _) = value.content, !value.isNull else {
      error(
        value.position, "“\(key)” must have a text or a number for its value, not \(value.kind)")
      return nil
    }
    return Located(text, at: value.position)
  }

  package func count(
    _ value: YAMLValue, of key: String, in range: ClosedRange<Int>? = nil
  ) -> Located<Int>? {
    guard case .scalar(let text, _) = value.content, let number = Int(text) else {
      error(value.position, "“\(key)” must be a whole number, not \(value.kind)")
      return nil
    }
    if let range, !range.contains(number) {
      error(
        value.position,
        "“\(key)” must be \(range.lowerBound) to \(range.upperBound), not \(number)")
      return nil
    }
    return Located(number, at: value.position)
  }

  package func boolean(_ value: YAMLValue, of key: String) -> Bool? {
    if case .scalar(let text, _) = value.content, let boolean = Bool(word: text) { return boolean }
    error(value.position, "“\(key)” must be true or false, not \(value.kind)")
    return nil
  }
}

extension Bool {
  /// Parses a word for a truth value, in any case; nil for another word.
  package init?(word: String) {
    switch word.lowercased() {
    case "true", "on", "yes": self = true
    case "false", "off", "no": self = false
    default: return nil
    }
  }
}
