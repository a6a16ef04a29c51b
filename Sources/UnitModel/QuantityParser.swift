import Documents

/// Parses a value of a parameter.
struct QuantityParser {
  let parameter: ParameterInfo
  /// The name of the parameter in errors.
  let name: String
  /// The text as written, without surrounding space.
  let text: String

  func value() throws(Refusal) -> Float {
    guard !text.isEmpty else {
      throw Refusal("“\(name)” has no value; it takes \(wanted)")
    }
    if let named = namedValue() { return named }
    if parameter.unit == .boolean, let isOn = Bool(word: text) { return isOn ? 1 : 0 }
    if parameter.unit == .pan, let index = try panValue() { return try inRange(index) }
    if parameter.unit == .midiNoteNumber, let note = NoteName.number(text) {
      return try inRange(note)
    }
    return try inRange(Float(number()))
  }

  private var wanted: String {
    parameter.valueStrings.isEmpty
      ? parameter.unitName.map { "a number (\($0))" } ?? parameter.unit.wanted
      : "one of " + parameter.valueStrings.joined(separator: ", ")
  }

  private func namedValue() -> Float? {
    let wanted = text.lowercased()
    return parameter.namedValues.first { $0.name.lowercased() == wanted }?.value
  }

  /// Parses `C`, `L`, `R`, `L30`, `30L` or `30 % left`; nil if the text names no side.
  private func panValue() throws(Refusal) -> Float? {
    let lowered = text.lowercased()
    if ["c", "center", "centre"].contains(lowered) { return 0 }
    for (words, sign) in [(["left", "l"], -1.0), (["right", "r"], 1.0)] {
      for word in words {
        let amount: Substring
        if lowered.hasPrefix(word) {
          amount = lowered.dropFirst(word.count)
        } else if lowered.hasSuffix(word) {
          amount = lowered.dropLast(word.count)
        } else {
          continue
        }
        let trimmed = amount.trimmingSpaces()
        if trimmed.isEmpty { return Float(sign) }
        guard let number = WrittenNumber(trimmed), number.value >= 0,
          ["", "%"].contains(number.rest)
        else { throw Refusal("“\(text)” is not a place; “\(name)” takes \(wanted)") }
        return Float(sign * number.value / 100)
      }
    }
    return nil
  }

  /// Returns the number in the parameter's unit; its range is not checked.
  func number() throws(Refusal) -> Double {
    if parameter.unit.dimension == .time, let seconds = ClockTime.seconds(text) {
      return seconds * (try factor(of: .time))
    }
    guard let number = WrittenNumber(text) else {
      throw Refusal(
        "“\(text)” is not a value for “\(name)”, which takes \(wanted)",
        suggestion: nearestWord(to: text, in: parameter.valueStrings))
    }
    if let pointed = number.withDecimalPoint {
      throw Refusal("“\(text)” has a decimal comma; write \(pointed)")
    }
    if number.rest.isEmpty { return number.value }
    if let unitName = parameter.unitName, number.rest.lowercased() == unitName.lowercased() {
      return number.value
    }
    guard let (dimension, scale) = Dimension.named(number.rest) else {
      let spellings = Dimension.allCases.flatMap(\.spellings).map(\.text)
      throw Refusal(
        "“\(number.rest)” in “\(text)” is not a unit; “\(name)” takes \(wanted)",
        suggestion: nearestWord(to: number.rest, in: spellings))
    }
    return number.value * scale * (try factor(of: dimension))
  }

  /// Returns the factor from a value of that dimension to the parameter's unit.
  private func factor(of dimension: Dimension) throws(Refusal) -> Double {
    switch (dimension, parameter.unit) {
    case (.time, .milliseconds): return 1000
    case (parameter.unit.dimension, _): return 1
    case (.octaves, .semitones): return 12
    case (.octaves, .cents): return 1200
    case (.pitch, .octaves): return 1 / 12
    case (.pitch, .cents): return 100
    case (.fineTuning, .semitones), (.proportion, .pan), (.proportion, .ratio): return 0.01
    default:
      throw Refusal("“\(text)” is \(dimension.article); “\(name)” takes \(wanted)")
    }
  }

  private func inRange(_ value: Float) throws(Refusal) -> Float {
    guard value.isFinite else { throw Refusal("“\(text)” is too great a number") }
    if value > parameter.maximum {
      let maximum = Quantity.format(parameter.maximum, for: parameter)
      throw Refusal("\(text) is above the most that “\(name)” takes, \(maximum)")
    }
    if value < parameter.minimum {
      let minimum = Quantity.format(parameter.minimum, for: parameter)
      throw Refusal("\(text) is below the least that “\(name)” takes, \(minimum)")
    }
    if [.indexed, .boolean].contains(parameter.unit), value != value.rounded() {
      throw Refusal("\(text) lies between two values of “\(name)”, which takes \(wanted)")
    }
    return value
  }
}
