import RackModel
import UnitModel

/// The value of a parameter at one revision of the session.
public struct ParameterReading: Sendable, Codable, Equatable {
  /// The path of the parameter: `echo.mix`.
  public var parameter: String
  /// The value in the parameter's unit; 1 for a bypass that is on.
  public var value: Float
  /// The value as text, with six digits: `30 %`.
  public var text: String
  /// The session's revision with this value. The newer of two readings has the higher revision.
  public var revision: Int

  /// - Parameter text: the value as text, if the unit writes its own texts; nil for the text of its quantity.
  init(
    _ path: ParameterPath, value: Float, info: ParameterInfo, text: String? = nil, revision: Int
  ) {
    parameter = path.description
    (self.value, self.revision) = (value, revision)
    self.text = text ?? Quantity.format(Quantity.rounded(value), for: info)
  }
}
