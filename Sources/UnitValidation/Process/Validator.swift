import AudioUnits
import CConfinement
import Documents
import Glibc

/// Runs checks on the units of a library in `backline-validator` processes, which cannot harm this
/// one. Its functions block the calling thread.
public struct Validator {
  /// The reason why a library cannot be read.
  public struct Refusal: Error, CustomStringConvertible {
    public var description: String
  }

  private let program: String
  private let libraryPath: String?
  private let timeLimit: Double

  /// - Parameters:
  ///   - libraryPath: a shared library; nil for the built-in units.
  ///   - timeLimit: the timeout of each check, seconds.
  /// - Throws: `HelperPrograms.Missing`.
  public init(libraryPath: String?, timeLimit: Double = 60) throws(HelperPrograms.Missing) {
    program = try HelperPrograms.path("backline-validator")
    self.libraryPath = libraryPath
    self.timeLimit = timeLimit
  }

  /// Returns the units of the library. `reportMissing` receives the mechanisms for confining units
  /// that the system lacks.
  public func units(_ reportMissing: (String) -> Void = { _ in }) throws -> [ListedUnit] {
    var units: [ListedUnit] = []
    var refusal: String?
    var refusedCalls: [String] = []
    let child = try HelperProcess(program, arguments(["--list"]))
    let end = child.readLines(timeout: timeLimit) { line in
      switch ChildMessage(line: line) {
      case .unit(let unit): units.append(unit)
      case .refused(let reason): refusal = reason
      case .refusal(let call): refusedCalls.append(call)
      case .missingConfinement(let text): reportMissing(text)
      default: break
      }
      return timeLimit
    }
    if let refusal = refusal ?? reason(end, of: child, while: "loading it", refusedCalls) {
      let prefix = libraryPath.map { refusal.hasPrefix($0) ? "" : "\($0): " } ?? ""
      throw Refusal(description: prefix + refusal)
    }
    return units
  }

  /// Runs the checks, each group in a new process, and reports each result at once.
  public func run(
    _ checks: [Check] = Check.all, on unit: ListedUnit, _ report: (CheckReport) -> Void = { _ in }
  ) throws -> UnitReport {
    let names = Set(checks.map(\.name))
    var reports: [CheckReport] = []
    func add(_ result: CheckReport) {
      reports.append(result)
      report(result)
    }
    for group in Check.groups {
      let wanted = group.checks.filter { names.contains($0.name) }
      let broken = reports.first { $0.result == .failure && Check.foundations.contains($0.check) }
      if let broken {
        for check in wanted { add(CheckReport(notRun: check, because: "\(broken.check) failed")) }
      } else {
        try run(group: wanted, on: unit, add)
      }
    }
    let passes = !reports.contains { $0.result == .failure }
    return UnitReport(
      unit: unit.component, name: unit.name, version: unit.version, checks: reports, passes: passes)
  }

  /// Runs one group; if a check ends the process, a new process continues with the next check.
  private func run(
    group: [Check], on unit: ListedUnit, _ add: (CheckReport) -> Void
  ) throws {
    var left = group[...]
    while let first = left.first {
      var step = ""
      var refusedCalls: [String] = []
      let child = try HelperProcess(
        program, arguments(["--unit", "\(unit.index)"] + left.map(\.name)))
      let end = child.readLines(timeout: timeLimit) { line in
        switch ChildMessage(line: line) {
        case .started(let check):
          step = ""
          // Each process loads the library; refusals during that are reported once.
          if check != Check.functions.name { refusedCalls = [] }
        case .note(let text):
          step = text
          return nil
        case .refusal(let call):
          refusedCalls.append(call)
          return nil
        case .finished(let report):
          left = left.drop { $0.name == report.check }
          add(report.adding(refusals: refusedCalls))
          refusedCalls = []
        default: return nil
        }
        return timeLimit
      }
      guard let check = left.first else { continue }
      let reason = reason(end, of: child, while: step, refusedCalls) ?? "ended the process"
      add(CheckReport(check, .failure(reason)))
      left = left.dropFirst()
      if check.name == first.name, case .exit = end, left.isEmpty { return }
    }
  }

  private func arguments(_ rest: [String]) -> [String] {
    (libraryPath.map { ["--library", $0] } ?? [])
      + ["--processor-time", "\(Int(timeLimit.rounded(.up)) * Check.all.count)"] + rest
  }

  /// Returns the reason why the process failed; nil if it did not.
  private func reason(
    _ end: HelperProcess.End, of child: HelperProcess, while step: String, _ refusedCalls: [String]
  ) -> String? {
    let at = step.isEmpty ? "" : ": \(step)"
    let lines = child.errorLines
    let own = lines.last { !$0.hasPrefix("crash: ") && !$0.hasPrefix("frame: ") }
    let said = own.map { " (\($0))" } ?? ""
    switch end {
    case .exit(0): return nil
    case .exit(BL_CONFINEMENT_EXIT_REFUSED) where !refusedCalls.isEmpty:
      return "\(refusedCalls.joined(separator: "; "))\(at)"
    case .exit(let status): return "ended the process with exit code \(status)\(at)\(said)"
    case .signal(let number):
      let crash = CrashReport(lines: lines).map { report in
        libraryPath.map {
          report.located(in: $0, called: String(FilePath.name(of: $0)))
        } ?? report
      }
      let cause = crash.map { " (\($0.cause)\(CrashReport.location(in: $0.stack)))" } ?? ""
      return "crashed with signal \(number), \(String(cString: strsignal(number)))"
        + "\(at)\(said)\(cause)"
    case .tooLongLine: return "wrote a line without end\(at)"
    case .timeout:
      let seconds = Int(exactly: timeLimit).map(String.init) ?? "\(timeLimit)"
      return "took longer than \(seconds) s, and was killed\(at)"
    }
  }
}
