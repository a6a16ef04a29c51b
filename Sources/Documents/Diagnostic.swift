/// An error, warning or note about a file, with its position and a suggestion.
public struct Diagnostic: Error, Sendable, Equatable, Codable {
  public enum Severity: String, Sendable, Codable {
    case error, warning, note
  }

  public var severity: Severity
  /// The file, as the user named it.
  public var file: String
  public var position: SourcePosition
  /// The message, in lower case, without a full stop.
  public var message: String
  /// The nearest valid word, if there is one.
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
  /// The diagnostic in the form of compilers: `file:line:column: error: message; did you mean
  /// “this”?`.
  public var description: String { "\(place): \(severity.rawValue): \(reason)" }

  /// The diagnostic for contexts that state the severity otherwise.
  package var withoutSeverity: String { "\(place): \(reason)" }

  private var place: String {
    position == .nowhere ? file : "\(file):\(position.line):\(position.column)"
  }

  private var reason: Refusal { Refusal(message, suggestion: suggestion) }
}
