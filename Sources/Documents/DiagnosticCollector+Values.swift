/// Reads parts of a YAML tree; what is not as it must be is collected, and reading goes on.
extension DiagnosticCollector {
  /// The entries of a map; says so and answers none where there is no map.
  package mutating func entries(
    _ value: YAMLValue, of key: String, mayBeEmpty: Bool = false
  ) -> [(key: Located<String>, value: YAMLValue)] {
    if case .mapping(let pairs) = value.content { return pairs.map { ($0.key, $0.value) } }
    if !(value.isNull && mayBeEmpty) {
      error(value.position, "“\(key)” must be a map, not \(value.kind)")
    }
    return []
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
