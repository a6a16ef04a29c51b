/// The result of a check.
public struct CheckReport: Codable, Sendable {
  public enum Result: String, Codable, Sendable {
    case pass
    case warning
    case failure
    case notApplicable = "not applicable"
    /// The check did not run, since an earlier one failed.
    case notRun = "not run"
  }

  public var check: String
  /// The behaviour of a passing unit; "renders the same in blocks of any size".
  public var title: String
  public var result: Result
  public var reason: String

  package init(_ check: Check, _ verdict: Verdict) {
    self.check = check.name
    title = check.title
    (result, reason) =
      switch verdict {
      case .pass(let text): (.pass, text)
      case .warning(let text): (.warning, text)
      case .failure(let text): (.failure, text)
      case .notApplicable(let text): (.notApplicable, text)
      }
  }

  /// Returns the report with the system calls refused meanwhile, which turn a pass into a warning.
  func adding(refusals: [String]) -> CheckReport {
    guard !refusals.isEmpty else { return self }
    let maximum = 4
    let more = refusals.count > maximum ? ["and \(refusals.count - maximum) more"] : []
    var report = self
    report.reason = ((reason.isEmpty ? [] : [reason]) + refusals.prefix(maximum) + more)
      .joined(separator: "; ")
    if result == .pass || result == .notApplicable { report.result = .warning }
    return report
  }

  init(notRun check: Check, because reason: String) {
    self.check = check.name
    title = check.title
    result = .notRun
    self.reason = reason
  }
}

/// The results of all checks on a unit.
public struct UnitReport: Codable, Sendable {
  /// The unit's description; "aufx/ring/bkln".
  public var unit: String
  public var name: String
  public var version: String
  public var checks: [CheckReport]
  /// Whether no check failed.
  public var passes: Bool
  /// The reason why the result was not recorded for `Component.validation`; nil if it was, or not
  /// all checks ran.
  public var unrecorded: String?
}
