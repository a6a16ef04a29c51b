import Documents
import UnitModel

/// Why a command was not carried out, for people; all is then as before.
public struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence without a full stop, with the nearest right word where there is one.
  public let description: String

  public init(_ reason: String, suggestion: String? = nil) {
    description = reason + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
  }

  /// With what is wrong, but not where: a command has no line of any file.
  init?(_ diagnostics: [Diagnostic]) {
    guard let first = diagnostics.first(where: { $0.severity == .error }) else { return nil }
    self.init(first.message, suggestion: first.suggestion)
  }
}

extension Quantity {
  /// As `parse`, of what a command asks for.
  public static func asked(
    _ text: String, for info: ParameterInfo, name: String
  ) throws(Refusal) -> Float {
    do {
      return try parse(text, for: info, name: name)
    } catch {
      throw Refusal(error.description, suggestion: error.suggestion)
    }
  }
}
