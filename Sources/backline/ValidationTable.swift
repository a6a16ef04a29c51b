import UnitValidation

/// The results of a validation as a table.
enum ValidationTable {
  static func heading(_ unit: ListedUnit) -> String {
    "\(unit.name)   \(unit.component)   \(unit.version)\n"
  }

  /// Returns a line with a check, its result and the reason.
  static func line(_ report: CheckReport) -> String {
    let result =
      switch report.result {
      case .pass: "pass"
      case .warning: "warning"
      case .failure: "FAIL"
      case .notApplicable: "-"
      case .notRun: "not run"
      }
    return "  \(report.check.padded(to: width))  \(result.padded(to: 7))  \(report.reason)"
      .trimmingTrailingSpaces()
  }

  static func lastLine(_ report: UnitReport) -> String {
    func count(_ result: CheckReport.Result) -> Int {
      report.checks.count { $0.result == result }
    }
    let counts: [(CheckReport.Result, String)] = [
      (.pass, "passed"), (.warning, "passed with a warning"), (.failure, "failed"),
      (.notApplicable, "do not apply"), (.notRun, "not run"),
    ]
    let text = counts.filter { count($0.0) > 0 }.map { "\(count($0.0)) \($0.1)" }
    let verdict = report.passes ? "passes" : "DOES NOT PASS"
    return "\n\(report.name) \(verdict): \(text.joined(separator: ", "))\n"
  }

  private static let width = UnitValidation.Check.all.map(\.name.count).max() ?? 0
}
