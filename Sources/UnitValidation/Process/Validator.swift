import CConfinement
import FoundationEssentials
import Glibc

/// Runs checks on units in processes of their own, so that no unit can hurt the one that asks.
public struct Validator {
  /// Why a library cannot be looked into.
  public struct Refusal: Error, CustomStringConvertible {
    public var description: String
  }

  private let program: URL
  private let libraryPath: String?
  /// Seconds that a check may take.
  private let timeLimit: Double

  /// `program` is backline-validator; a nil path stands for the built-in units.
  public init(program: URL, libraryPath: String?, timeLimit: Double) {
    self.program = program
    self.libraryPath = libraryPath
    self.timeLimit = timeLimit
  }

  /// What the library offers. `hearLack` is told what the system has not got to confine units.
  public func units(_ hearLack: (String) -> Void = { _ in }) throws -> [ListedUnit] {
    var units: [ListedUnit] = []
    var refusal: String?
    var refusedCalls: [String] = []
    let child = try ChildProcess(program, arguments(["--list"]))
    let end = child.listen(patience: timeLimit) { message in
      switch message {
      case .unit(let unit): units.append(unit)
      case .refused(let reason): refusal = reason
      case .refusal(let call): refusedCalls.append(call)
      case .lack(let text): hearLack(text)
      default: break
      }
    }
    if let refusal = refusal ?? reason(end, of: child, while: "loading it", refusedCalls) {
      let place = libraryPath.map { refusal.hasPrefix($0) ? "" : "\($0): " } ?? ""
      throw Refusal(description: place + refusal)
    }
    return units
  }

  /// Runs the checks, each group in a fresh process, and hands on each result as it comes.
  public func run(
    _ checks: [Check], on unit: ListedUnit, _ hear: (CheckReport) -> Void
  ) throws -> UnitReport {
    let names = Set(checks.map(\.name))
    var reports: [CheckReport] = []
    func take(_ report: CheckReport) {
      reports.append(report)
      hear(report)
    }
    for group in Check.groups {
      let wanted = group.checks.filter { names.contains($0.name) }
      let broken = reports.first { $0.result == .failure && Check.foundations.contains($0.check) }
      if let broken {
        for check in wanted { take(CheckReport(notRun: check, because: "\(broken.check) failed")) }
      } else {
        try run(group: wanted, on: unit, take)
      }
    }
    let passes = !reports.contains { $0.result == .failure }
    return UnitReport(
      unit: unit.component, name: unit.name, version: unit.version, checks: reports, passes: passes)
  }

  /// Where a check brings the process down, a new one goes on with the next.
  private func run(
    group: [Check], on unit: ListedUnit, _ take: (CheckReport) -> Void
  ) throws {
    var left = group[...]
    while let first = left.first {
      var place = ""
      var refusedCalls: [String] = []
      let child = try ChildProcess(
        program, arguments(["--unit", "\(unit.index)"] + left.map(\.name)))
      let end = child.listen(patience: timeLimit) { message in
        switch message {
        case .started(let check):
          place = ""
          // Each process loads the library; what that leads to is told once.
          if check != Check.functions.name { refusedCalls = [] }
        case .note(let text): place = text
        case .refusal(let call): refusedCalls.append(call)
        case .finished(let report):
          left = left.drop { $0.name == report.check }
          take(report.telling(of: refusedCalls))
          refusedCalls = []
        default: break
        }
      }
      guard let check = left.first else { continue }
      let reason = reason(end, of: child, while: place, refusedCalls) ?? "ended the process"
      take(CheckReport(check, .failure(reason)))
      left = left.dropFirst()
      if check.name == first.name, case .exit = end, left.isEmpty { return }
    }
  }

  private func arguments(_ rest: [String]) -> [String] {
    (libraryPath.map { ["--library", $0] } ?? [])
      + ["--processor-time", "\(Int(timeLimit.rounded(.up)) * Check.all.count)"] + rest
  }

  /// What went wrong with the process; nil where nothing did.
  private func reason(
    _ end: ChildProcess.End, of child: ChildProcess, while place: String, _ refusedCalls: [String]
  ) -> String? {
    let at = place.isEmpty ? "" : ": \(place)"
    let said = child.lastError.map { " (\($0))" } ?? ""
    switch end {
    case .exit(0): return nil
    case .exit(BL_CONFINEMENT_EXIT_REFUSED) where !refusedCalls.isEmpty:
      return "\(refusedCalls.joined(separator: "; "))\(at)"
    case .exit(let status): return "ended the process with exit code \(status)\(at)\(said)"
    case .signal(let number):
      return "crashed with signal \(number), \(String(cString: strsignal(number)))\(at)\(said)"
    case .silence:
      let seconds = Int(exactly: timeLimit).map(String.init) ?? "\(timeLimit)"
      return "took longer than \(seconds) s, and was killed\(at)"
    }
  }
}
