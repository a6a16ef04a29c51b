import Documents
import Glibc

/// Formats and parses parameter values: `1.2 kHz`, `-6 dB`, `250 ms`, `30 %`, `on`, `square`.
public enum Quantity {
  /// Parses a value, in the parameter's unit and range.
  ///
  /// A number without a unit is in the parameter's unit. `name` is the parameter's name in errors
  /// (nil: its identifier).
  public static func parse(
    _ text: String, for parameter: ParameterInfo, name: String? = nil
  ) throws(Refusal) -> Float {
    let parser = QuantityParser(
      parameter: parameter, name: name ?? parameter.identifier, text: text.trimmingSpaces())
    return try parser.value()
  }

  /// Parses a number in `unit` that is not a parameter's value; such as `44.1 kHz` for hertz, and
  /// `2 min` or `1:30` for seconds.
  ///
  /// `name` is the number's name in errors.
  public static func number(
    _ text: String, in unit: ParameterUnit, name: String
  ) throws(Refusal) -> Double {
    let parameter = ParameterInfo(
      identifier: name, name: name, unit: unit, minimum: -.infinity, maximum: .infinity,
      defaultValue: 0)
    return try QuantityParser(parameter: parameter, name: name, text: text.trimmingSpaces())
      .number()
  }

  /// Returns a value as text, which parses to the same number.
  public static func format(_ value: Float, for parameter: ParameterInfo) -> String {
    if let named = parameter.namedValues.first(where: { $0.value == value }) { return named.name }
    switch parameter.unit {
    case .generic, .indexed, .ratio, .midiController: return decimal(value, scale: 1)
    case .midiNoteNumber: return NoteName.text(value) ?? decimal(value, scale: 1)
    case .custom:
      return decimal(value, scale: 1) + (parameter.unitName.map { " \($0)" } ?? "")
    case .milliseconds: return decimal(value, scale: 1) + " ms"
    case .boolean: return value == 0 ? "off" : value == 1 ? "on" : decimal(value, scale: 1)
    case .pan:
      if value == 0 { return "C" }
      return (value < 0 ? "L" : "R") + decimal(value.magnitude, scale: 0.01)
    case .hertz where value.magnitude >= 1000: return decimal(value, scale: 1000) + " kHz"
    case .seconds where value != 0 && value.magnitude < 1:
      return decimal(value, scale: 0.001) + " ms"
    default:
      let unit = parameter.unit.symbol ?? ""
      return "\(decimal(value, scale: 1)) \(unit)"
    }
  }

  /// Returns `value` rounded to six significant digits, for display.
  public static func rounded(_ value: Float) -> Float {
    guard value != 0, value.isFinite else { return value }
    let power = pow(10, 5 - log10(Double(value).magnitude).rounded(.down))
    return Float((Double(value) * power).rounded() / power)
  }

  /// Returns `value` in units of `scale`, with as few decimals as parse to the same number.
  static func decimal(_ value: Float, scale: Double) -> String {
    let exact = Double(value) / scale
    var power = 1.0
    for _ in 0...9 {
      let rounded = (exact * power).rounded() / power
      if Float(rounded * scale) == value { return plain(rounded) }
      power *= 10
    }
    return plain(exact)
  }

  /// Returns a number in decimal digits: "22" rather than "22.0", "0.00001" rather than "1e-05".
  package static func plain(_ value: Double) -> String {
    let text = value.description
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return text }
    let digits = parts[0].filter(\.isNumber)
    let sign = value < 0 ? "-" : ""
    return exponent < 0
      ? "\(sign)0." + String(repeating: "0", count: -exponent - 1) + digits
      : sign + digits + String(repeating: "0", count: max(0, exponent + 1 - digits.count))
  }
}

extension StringProtocol {
  /// Returns the text without white space at either end.
  package func trimmingSpaces() -> String {
    let front = drop(while: \.isWhitespace)
    guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(front[...last])
  }
}
