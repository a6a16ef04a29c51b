import Documents
import UnitModel

/// The path of a parameter in a rack: `echo.mix`, `mix.2.gain`; or of the bypass that every unit has:
/// `echo.bypass`.
public struct ParameterPath: Sendable, Hashable, CustomStringConvertible {
  /// The unit's name in the rack.
  public var unit: String
  /// The parameter's key path within the unit.
  public var keyPath: String

  /// The key path of a unit's bypass.
  public static let bypass = "bypass"

  public var isBypass: Bool { keyPath == Self.bypass }
  public var description: String { "\(unit).\(keyPath)" }

  public init(unit: String, keyPath: String) {
    (self.unit, self.keyPath) = (unit, keyPath)
  }

  /// - Throws: `Refusal` where the text has no dot with something on both sides.
  public init(_ text: String) throws(Refusal) {
    guard let dot = text.firstIndex(of: "."), dot != text.startIndex,
      text.index(after: dot) != text.endIndex
    else { throw Refusal("“\(text)” is not a parameter; write UNIT.PARAMETER, as in echo.mix") }
    self.init(unit: String(text[..<dot]), keyPath: String(text[text.index(after: dot)...]))
  }
}

extension ParameterInfo {
  /// The description of the bypass, which every unit of a rack has.
  public static let bypass = ParameterInfo(
    identifier: ParameterPath.bypass, name: "Bypass", unit: .boolean, minimum: 0, maximum: 1,
    defaultValue: 0)
}
