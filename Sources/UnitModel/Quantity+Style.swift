extension Quantity {
  /// Returns a value as text in the style of `example`: its unit, the space before the unit, its
  /// words for on and off. Parses to the same number.
  public static func format(
    _ value: Float, for parameter: ParameterInfo, like example: String
  ) -> String {
    let usual = format(value, for: parameter)
    let text = styled(value, usual: usual, for: parameter, like: example.trimmingSpaces())
    guard let text, (try? parse(text, for: parameter)) == value else { return usual }
    return text
  }

  private static func styled(
    _ value: Float, usual: String, for parameter: ParameterInfo, like example: String
  ) -> String? {
    if let word = switchWord(value, like: example), parameter.unit == .boolean { return word }
    guard let number = WrittenNumber(example) else {
      return example == example.lowercased() ? usual.lowercased() : usual
    }
    let rest = number.rest
    if rest.isEmpty { return decimal(value, scale: 1) }
    // The size of one of the example's units.
    guard
      let scale = try? QuantityParser(
        parameter: parameter, name: parameter.identifier, text: "1 \(rest)"
      ).number(), scale != 0, example.hasSuffix(rest)
    else { return usual }
    let count = (Double(value) / scale).magnitude
    guard value == 0 || (0.1..<10_000).contains(count) else { return usual }
    let gap = example.dropLast(rest.count).reversed().prefix { $0.isWhitespace }
    return decimal(value, scale: scale) + String(gap.reversed()) + rest
  }

  /// Returns on or off in the pair of words that the example belongs to.
  private static func switchWord(_ value: Float, like example: String) -> String? {
    let pairs = [("on", "off"), ("true", "false"), ("yes", "no"), ("1", "0")]
    for (on, off) in pairs where [on, off].contains(example.lowercased()) {
      let word = value == 0 ? off : on
      return example.first?.isUppercase == true
        ? word.prefix(1).uppercased() + word.dropFirst() : word
    }
    return nil
  }
}
