import UnitModel

extension RackFileReader {
  /// The entries of a map; says so and answers none where there is no map.
  mutating func entries(
    _ value: YAMLValue, of key: String, mayBeEmpty: Bool = false
  ) -> [(key: Located<String>, value: YAMLValue)] {
    if case .mapping(let pairs) = value.content { return pairs }
    if !(value.isNull && mayBeEmpty) {
      diagnostics.error(value.position, "“\(key)” must be a map, not \(value.kind)")
    }
    return []
  }

  mutating func text(_ value: YAMLValue, of key: String) -> Located<String>? {
    guard case .scalar(let text, _) = value.content, !value.isNull else {
      diagnostics.error(
        value.position, "“\(key)” must have a text or a number for its value, not \(value.kind)")
      return nil
    }
    return Located(text, at: value.position)
  }

  mutating func count(_ value: YAMLValue, of key: String) -> Located<Int>? {
    guard case .scalar(let text, _) = value.content, let number = Int(text) else {
      diagnostics.error(value.position, "“\(key)” must be a whole number, not \(value.kind)")
      return nil
    }
    return Located(number, at: value.position)
  }

  mutating func boolean(_ value: YAMLValue, of key: String) -> Bool? {
    if case .scalar(let text, _) = value.content {
      switch text.lowercased() {
      case "true", "on", "yes": return true
      case "false", "off", "no": return false
      default: break
      }
    }
    diagnostics.error(value.position, "“\(key)” must be true or false, not \(value.kind)")
    return nil
  }

  mutating func unknown(_ key: Located<String>, in place: String, known: [String]) {
    diagnostics.error(
      key.position, "\(place) has no “\(key.value)”; it has \(known.joined(separator: ", "))",
      suggestion: nearestWord(to: key.value, in: known))
  }
}
