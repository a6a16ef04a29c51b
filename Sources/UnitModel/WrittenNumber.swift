/// A decimal number at the start of a text and the rest of the text.
struct WrittenNumber {
  let value: Double
  /// The text behind the number, without surrounding space.
  let rest: String
  /// The text with a point for the comma, where it has a decimal comma.
  let withDecimalPoint: String?

  /// Nil unless `text` begins with a number in decimal digits.
  init?(_ text: String) {
    // Typeset minus signs come with copied text.
    let characters = Array(text.replacingMinus().unicodeScalars)
    var end = 0
    func digits() -> Int {
      let start = end
      while end < characters.count, ("0"..."9").contains(characters[end]) { end += 1 }
      return end - start
    }
    if end < characters.count, "+-".unicodeScalars.contains(characters[end]) { end += 1 }
    var digitCount = digits()
    if end < characters.count, characters[end] == "." {
      end += 1
      digitCount += digits()
    }
    guard digitCount > 0 else { return nil }
    let mantissaEnd = end
    if end < characters.count, "eE".unicodeScalars.contains(characters[end]) {
      end += 1
      if end < characters.count, "+-".unicodeScalars.contains(characters[end]) { end += 1 }
      if digits() == 0 { end = mantissaEnd }
    }
    func string(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: characters[range])
      return String(view)
    }
    guard let value = Double(string(0..<end)) else { return nil }
    self.value = value
    rest = string(end..<characters.count).trimmingSpaces()
    let isComma =
      end + 1 < characters.count && characters[end] == ","
      && ("0"..."9").contains(characters[end + 1])
    withDecimalPoint =
      isComma ? string(0..<end) + "." + string(end + 1..<characters.count) : nil
  }
}

extension String {
  fileprivate func replacingMinus() -> String {
    String(map { $0 == "\u{2212}" ? "-" : $0 })
  }
}
