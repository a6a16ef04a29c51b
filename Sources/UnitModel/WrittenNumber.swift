/// A decimal number at the start of a text and the rest of the text.
struct WrittenNumber {
  let value: Double
  /// The text after the number, without surrounding space.
  let rest: String
  /// The text with a decimal point, if it has a decimal comma.
  let withDecimalPoint: String?

  /// Parses a number; nil unless `text` begins with one in decimal digits.
  init?(_ text: String) {
    // Copied text may contain typographic minus signs.
    let text = String(text.map { $0 == "\u{2212}" ? "-" : $0 })
    var number = text.prefix { "+-.0123456789eE".contains($0) }
    while !number.isEmpty, Double(number) == nil { number.removeLast() }
    guard let value = Double(number) else { return nil }
    let behind = text[number.endIndex...]
    self.value = value
    rest = behind.trimmingSpaces()
    let isComma =
      behind.first == "," && behind.dropFirst().first.map { ("0"..."9").contains($0) } ?? false
    withDecimalPoint = isComma ? "\(number).\(behind.dropFirst())" : nil
  }
}
