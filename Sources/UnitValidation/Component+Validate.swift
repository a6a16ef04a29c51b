import AsyncSupport
import AudioUnits
import Dispatch
import Documents
import UnitModel

extension Component {
  /// Runs checks on the unit: in processes of their own, or for the host's own code, in this one. The
  /// result of a full validation is recorded (`validation`).
  ///
  /// - Parameters:
  ///   - checks: the checks to run; all by default (`Check.named`).
  ///   - timeLimit: the timeout of each check, seconds; without effect in this process.
  ///   - report: receives each result at once, on another thread.
  /// - Throws: `HelperPrograms.Missing`; `Validator.Refusal` if the library cannot be loaded.
  public func validate(
    _ checks: [Check] = Check.all, timeLimit: Double = 60,
    report: @escaping @Sendable (CheckReport) -> Void = { _ in }
  ) async throws -> UnitReport {
    try await DispatchQueue.global().answer {
      var result =
        isOfHost
        ? try validateHere(checks, report) : try validateApart(checks, timeLimit, report)
      if Set(checks.map(\.name)) == Set(Check.all.map(\.name)) {
        do { try record(result) } catch { result.unrecorded = "\(error)" }
      }
      return result
    }
  }

  private func validateApart(
    _ checks: [Check], _ timeLimit: Double, _ report: (CheckReport) -> Void
  ) throws -> UnitReport {
    let validator = try Validator(libraryPath: codePath, timeLimit: timeLimit)
    guard let unit = try validator.units().first(where: { $0.component == "\(component)" }) else {
      throw Validator.Refusal(description: "its library has no unit \(component)")
    }
    return try validator.run(checks, on: unit, report)
  }

  /// Validates in this process, since no other process has the code.
  private func validateHere(
    _ checks: [Check], _ report: (CheckReport) -> Void
  ) throws -> UnitReport {
    let subject = Subject(try descriptor(in: .host).pointer)
    var reports: [CheckReport] = []
    var broken: Check?
    for check in checks {
      let result =
        if let broken {
          CheckReport(notRun: check, because: "\(broken.name) failed")
        } else if check.needsOwnProcess {
          CheckReport(
            check,
            .notApplicable("it measures a process, and the unit's code is this program's own"))
        } else {
          CheckReport(check, check.run(on: subject))
        }
      if result.result == .failure, Check.foundations.contains(check.name) { broken = check }
      reports.append(result)
      report(result)
    }
    return UnitReport(
      unit: "\(component)", name: name, version: versionText, checks: reports,
      passes: !reports.contains { $0.result == .failure })
  }

  /// Records the result of all checks, for `validation` and the lists of units.
  ///
  /// - Throws: `FileError`
  package func record(_ report: UnitReport) throws {
    try ValidationRecords().record(
      report.passes ? .passed : .failed,
      isIndifferentToBlocks: report.checks.contains {
        $0.check == Check.blockSizes.name && $0.result == .pass
      }, of: self)
  }
}
