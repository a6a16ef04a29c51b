/// An error, warning or note about a file, with its position and a suggestion.
public struct Diagnostic: Error, Sendable, Equatable, Codable {
  public enum Severity: String, Sendable, Codable {
    case error, warning, note
  }

  public var severity: Severity
  /// As the person named it.
  public var file: String
  public var position: SourcePosition
  /// Lower case, without a full stop.
  public var message: String
  /// The nearest right word, where there is one.
  public var suggestion: String?

  public init(
    severity: Severity = .error, file: String, position: SourcePosition, message: String,
    suggestion: String? = nil
  ) {
    self.severity = severity
    self.file = file
    self.position = position
    self.message = message
    self.suggestion = suggestion
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message; did you mean “this”?`, as compilers write it.
  public var description: String { "\(place): \(severity.rawValue): \(reason)" }

  /// For where the severity is said otherwise.
  package var withoutSeverity: String { "\(place): \(reason)" }

  private var place: String {
    position == .nowhere ? file : "\(file):\(position.line):\(position.column)"
  }

  private var reason: Refusal { Refusal(message, suggestion: suggestion) }
}
