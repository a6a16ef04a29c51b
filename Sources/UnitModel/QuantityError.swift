/// Why a written value does not fit its parameter or setting.
public struct QuantityError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error and the accepted values.
  public let description: String
  /// The nearest right word; nil where there is none.
  public let suggestion: String?

  init(_ description: String, suggestion: String? = nil) {
    self.description = description
    self.suggestion = suggestion
  }
}
