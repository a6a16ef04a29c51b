/// The reason why a command, a value or a unit was refused, for messages; nothing has changed then.
public struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence without a full stop.
  public let reason: String
  /// The nearest valid word; nil if there is none.
  public let suggestion: String?

  public init(_ reason: String, suggestion: String? = nil) {
    (self.reason, self.suggestion) = (reason, suggestion)
  }

  /// Refuses a word that is none of `known`; `kind` has its article: "a curve".
  package init(_ word: String, isNot kind: String, known: [String]) {
    self.init(
      "“\(word)” is not \(kind); write \(known.joined(separator: ", "))",
      suggestion: nearestWord(to: word, in: known))
  }

  /// Refuses with the first error, without its position since a command has no line of a file; nil
  /// without errors.
  package init?(_ diagnostics: [Diagnostic]) {
    guard let first = diagnostics.first(where: { $0.severity == .error }) else { return nil }
    self.init(first.message, suggestion: first.suggestion)
  }

  public var description: String {
    reason + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
  }
}
