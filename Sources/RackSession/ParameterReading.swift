import RackModel
import UnitModel

/// The value of a parameter.
public struct ParameterReading: Sendable, Codable, Equatable {
  /// `echo.mix`
  public var parameter: String
  /// In the parameter's unit; 1 for a bypass that is on.
  public var value: Float
  /// As people write it, with six digits: `30 %`.
  public var text: String
  /// The session's revision with this value: of two readings of a parameter the higher is newer.
  public var revision: Int

  /// - Parameter text: of a parameter whose unit writes texts of its own.
  init(
    _ path: ParameterPath, value: Float, info: ParameterInfo, text: String? = nil, revision: Int
  ) {
    parameter = path.description
    (self.value, self.revision) = (value, revision)
    self.text = text ?? Quantity.format(Quantity.rounded(value), for: info)
  }
}
