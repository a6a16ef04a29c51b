/// The result of a check.
public struct CheckReport: Codable, Sendable {
  public enum Result: String, Codable, Sendable {
    case pass
    case warning
    case failure
    case notApplicable = "not applicable"
    /// An earlier check failed.
    case notRun = "not run"
  }

  public var check: String
  /// What a passing unit does; "renders the same in blocks of any size".
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

  /// Adds the system calls that were refused meanwhile, which turn a pass into a warning.
  func adding(refusals: [String]) -> CheckReport {
    guard !refusals.isEmpty else { return self }
    let most = 4
    let more = refusals.count > most ? ["and \(refusals.count - most) more"] : []
    var report = self
    report.reason = ((reason.isEmpty ? [] : [reason]) + refusals.prefix(most) + more)
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
  /// "aufx/ring/bkln".
  public var unit: String
  public var name: String
  public var version: String
  public var checks: [CheckReport]
  /// Nothing failed.
  public var passes: Bool
  /// Why `Component.validation` does not know of it; nil where it does, or not all checks ran.
  public var unrecorded: String?
}
