/// Collects the diagnostics of one file.
package final class DiagnosticCollector {
  package let file: String
  package private(set) var diagnostics: [Diagnostic] = []

  package init(file: String) { self.file = file }

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  package func error(_ position: SourcePosition, _ message: String, suggestion: String? = nil) {
    add(.error, position, message, suggestion)
  }

  package func warning(_ position: SourcePosition, _ message: String, suggestion: String? = nil) {
    add(.warning, position, message, suggestion)
  }

  package func note(_ position: SourcePosition, _ message: String, suggestion: String? = nil) {
    add(.note, position, message, suggestion)
  }

  private func add(
    _ severity: Diagnostic.Severity, _ position: SourcePosition, _ message: String,
    _ suggestion: String?
  ) {
    diagnostics.append(
      Diagnostic(
        severity: severity, file: file, position: position, message: message,
        suggestion: suggestion))
  }

  /// Returns what `read` returns for a text; nil, and an error at its position, if `read` throws.
  package func value<Value>(
    of text: Located<String>, _ read: (String) throws(Refusal) -> Value
  ) -> Value? {
    do {
      return try read(text.value)
    } catch {
      self.error(text.position, error.reason, suggestion: error.suggestion)
      return nil
    }
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics sorted by position; those at one position keep their order.
  package func inOrder() -> [Diagnostic] {
    enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }.map(\.element)
  }
}
