import RackEngine
import RackModel
import UnitModel

/// A parameter and what it is at.
public struct ParameterReading: Sendable, Codable, Equatable {
  /// `echo.mix`
  public var parameter: String
  /// In the parameter's unit; 1 for a bypass that is on.
  public var value: Float
  /// As people write it: `30 %`.
  public var text: String

  package init(parameter: String, value: Float, text: String) {
    (self.parameter, self.value, self.text) = (parameter, value, text)
  }

  package init(_ path: ParameterPath, value: Float, info: ParameterInfo) {
    self.init(
      parameter: path.description, value: value, text: Quantity.format(value, for: info))
  }
}
