/// Why a command, a value or a unit was refused, for people; everything is then as before.
public struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence without a full stop.
  public let reason: String
  /// The nearest right word; nil where there is none.
  public let suggestion: String?

  public init(_ reason: String, suggestion: String? = nil) {
    (self.reason, self.suggestion) = (reason, suggestion)
  }

  /// A word that is none of `known`; `kind` with its article: "a curve".
  package init(_ word: String, isNot kind: String, known: [String]) {
    self.init(
      "“\(word)” is not \(kind); write \(known.joined(separator: ", "))",
      suggestion: nearestWord(to: word, in: known))
  }

  /// The first error without its position, since a command has no line of a file; nil without errors.
  package init?(_ diagnostics: [Diagnostic]) {
    guard let first = diagnostics.first(where: { $0.severity == .error }) else { return nil }
    self.init(first.message, suggestion: first.suggestion)
  }

  public var description: String {
    reason + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
  }
}
