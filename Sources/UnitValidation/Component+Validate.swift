import AsyncSupport
import AudioUnits
import Dispatch
import UnitModel

extension Component {
  /// Runs checks on the unit in processes of their own.
  ///
  /// - Parameters:
  ///   - checks: all of them unless some are chosen (`Check.named`).
  ///   - timeLimit: seconds that a check may take.
  ///   - report: gets each result as soon as it is there, on another thread.
  /// - Throws: `HelperPrograms.Missing`; `Validator.Refusal` where the library cannot be loaded.
  public func validate(
    _ checks: [Check] = Check.all, timeLimit: Double = 60,
    report: @escaping @Sendable (CheckReport) -> Void = { _ in }
  ) async throws -> UnitReport {
    let path = codePath
    return try await DispatchQueue.global().answer {
      let validator = try Validator(libraryPath: path, timeLimit: timeLimit)
      let units = try validator.units()
      guard let unit = units.first(where: { $0.component == "\(component)" }) else {
        throw Validator.Refusal(description: "its library has no unit \(component)")
      }
      return try validator.run(checks, on: unit, report)
    }
  }
}
