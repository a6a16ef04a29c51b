import Documents
import UnitModel

extension ProcessSettings {
  /// The settings of a file; defaults for those that it does not have.
  init(_ entry: ProcessesEntry, diagnostics: inout DiagnosticCollector) {
    self.init()
    if let written = entry.timeout {
      do {
        timeout = Double(try Quantity.parse(written.value, for: Self.timeoutRange)) / 100
      } catch {
        diagnostics.error(written.position, error.description, suggestion: error.suggestion)
      }
    }
    if let written = entry.processor {
      do {
        processor = try ProcessorChoice(written: written.value)
      } catch {
        diagnostics.error(written.position, error.description, suggestion: error.suggestion)
      }
    }
    if let written = entry.restarts {
      if Self.restartRange.contains(written.value) {
        restarts = written.value
      } else {
        diagnostics.error(
          written.position,
          "“restarts” takes \(Self.restartRange.lowerBound) to \(Self.restartRange.upperBound), "
            + "not \(written.value)")
      }
    }
  }
}
