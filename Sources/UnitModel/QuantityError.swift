/// Why a value as written is not one for its parameter, or for another setting.
public struct QuantityError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and what would do.
  public let description: String
  /// What was probably meant, where that can be told.
  public let suggestion: String?

  init(_ description: String, suggestion: String? = nil) {
    self.description = description
    self.suggestion = suggestion
  }
}
