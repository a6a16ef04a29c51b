/// One thing that every unit has to keep to.
public struct Check: Sendable, CustomStringConvertible {
  /// What `--check` takes; "block-sizes".
  public let name: String
  /// What the unit does when it passes; "renders the same in blocks of any size".
  public let title: String
  /// Looks at the whole process (memory, threads, calls), which must hold nothing else.
  public let needsOwnProcess: Bool
  private let body: @Sendable (Subject) throws -> Verdict

  init(
    _ name: String, _ title: String, needsOwnProcess: Bool = false,
    _ body: @escaping @Sendable (Subject) throws -> Verdict
  ) {
    self.name = name
    self.title = title
    self.needsOwnProcess = needsOwnProcess
    self.body = body
  }

  /// Whatever is thrown is what failed.
  public func run(on subject: Subject) -> Verdict {
    do {
      return try body(subject)
    } catch {
      return .failure("\(error)")
    }
  }

  public var description: String { name }
}

/// How a check ended.
public enum Verdict: Sendable, Equatable {
  /// With what was measured, where there is something to tell.
  case pass(String = "")
  /// The unit keeps to the letter, but somebody should look.
  case warning(String)
  case failure(String)
  /// The check does not concern such a unit.
  case notApplicable(String)
}

/// What a unit does wrong.
struct Fault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  /// The first few of many.
  static func throwAny(_ faults: [String]) throws {
    guard let first = faults.first else { return }
    throw Fault(faults.count > 1 ? "\(first) (and \(faults.count - 1) more)" : first)
  }
}
