/// A rule for all units, and the test of it.
public struct Check: Sendable, CustomStringConvertible {
  /// The argument of `--check`; "block-sizes".
  public let name: String
  /// What a passing unit does; "renders the same in blocks of any size".
  public let title: String
  /// Whether it measures the whole process (memory, threads, calls), in which nothing else may run.
  package let needsOwnProcess: Bool
  private let body: @Sendable (Subject) throws -> Verdict

  init(
    _ name: String, _ title: String, needsOwnProcess: Bool = false,
    _ body: @escaping @Sendable (Subject) throws -> Verdict
  ) {
    (self.name, self.title, self.needsOwnProcess) = (name, title, needsOwnProcess)
    self.body = body
  }

  /// A check that collects faults, of a table as a rule.
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

  /// An error that the body throws is a failure.
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
  /// With measured values, if any.
  case pass(String = "")
  /// No rule is broken, but somebody should look.
  case warning(String)
  case failure(String)
  /// The check does not concern such a unit.
  case notApplicable(String)
}

/// A rule that the unit breaks.
struct Fault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
