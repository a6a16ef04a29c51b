/// A rule for all units, with its test.
public struct Check: Sendable, CustomStringConvertible {
  /// The name, the argument of `--check`; "block-sizes".
  public let name: String
  /// The behaviour of a passing unit; "renders the same in blocks of any size".
  public let title: String
  /// Whether the check measures the process (memory, threads, calls) and must run alone in it.
  package let needsOwnProcess: Bool
  private let body: @Sendable (Subject) throws -> Verdict

  init(
    _ name: String, _ title: String, needsOwnProcess: Bool = false,
    _ body: @escaping @Sendable (Subject) throws -> Verdict
  ) {
    (self.name, self.title, self.needsOwnProcess) = (name, title, needsOwnProcess)
    self.body = body
  }

  /// Creates a check that collects faults, usually of a table.
  init(
    listing name: String, _ title: String,
    _ body: @escaping @Sendable (Subject, _ faults: inout [String]) -> Verdict
  ) {
    self.init(name, title) { subject in
      var faults: [String] = []
      let verdict = body(subject, &faults)
      guard let first = faults.first else { return verdict }
      return .failure(faults.count > 1 ? "\(first) (and \(faults.count - 1) more)" : first)
    }
  }

  /// Runs the check; an error that the body throws is a failure.
  package func run(on subject: Subject) -> Verdict {
    let verdict: Verdict
    do { verdict = try body(subject) } catch { verdict = .failure("\(error)") }
    if subject.isPlugIn, Self.ofUnitsAlone.contains(name), case .failure(let reason) = verdict {
      return .warning("\(reason); a plug-in of another format may")
    }
    return verdict
  }

  public var description: String { name }
}

/// The result of a check.
package enum Verdict: Sendable, Equatable {
  /// The unit passes; with measured values, if any.
  case pass(String = "")
  /// No rule is broken, but the result should be looked at.
  case warning(String)
  case failure(String)
  /// The check does not apply to such a unit.
  case notApplicable(String)
}

/// A rule that the unit breaks.
struct Fault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
