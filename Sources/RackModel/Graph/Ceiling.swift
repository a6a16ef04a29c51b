import Documents
import Glibc
import UnitModel

/// The level above which an audio output of a rack is faded out.
public enum Ceiling: Sendable, Equatable {
  /// A level in dBFS, -60 to 100.
  case level(Float)
  case off

  /// The default: far above any intended sound, and far below what harms ears and speakers for long.
  public static let `default` = Ceiling.level(18)

  static let range = ParameterInfo(
    identifier: "ceiling", name: "Ceiling", unit: .decibels, minimum: -60, maximum: 100,
    defaultValue: 18)

  /// The sample magnitude at the level; infinite for `off`.
  public var magnitude: Float {
    switch self {
    case .level(let level): pow(10, level / 20)
    case .off: .infinity
    }
  }
}

extension Ceiling: WrittenValue {
  package init(written text: String) throws(Refusal) {
    if text == "off" {
      self = .off
    } else if text.first?.isLetter == true {
      throw Refusal(
        "“\(text)” is not a level; write one, such as 6 dB, or off",
        suggestion: nearestWord(to: text, in: ["off"]))
    } else {
      self = .level(try Quantity.parse(text, for: Self.range))
    }
  }

  public var description: String {
    switch self {
    case .level(let level): Quantity.format(level, for: Self.range)
    case .off: "off"
    }
  }
}
