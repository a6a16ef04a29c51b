import Documents

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
