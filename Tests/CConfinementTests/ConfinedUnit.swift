import BacklineTestSupport
import CConfinement
import Foundation

/// The unit Tests/Fixtures/units/hostile, which performs a named deed in a confined process.
struct ConfinedUnit {
  /// The folder that the unit may read.
  let bundle: TemporaryFolder
  /// The folder that the unit may write to.
  let data: TemporaryFolder
  private let library: String

  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "confined-unit")

  init() throws {
    bundle = try TemporaryFolder()
    data = try TemporaryFolder()
    library = try FaultyUnit(name: "hostile/hostile").build(in: bundle)
  }

  struct Outcome: CustomStringConvertible {
    var exitCode: Int32
    /// The lines that the process printed: the mechanisms in force, refusals, and the deed's
    /// result.
    var lines: [String]

    var refusals: [String] { lines.filter { $0.hasPrefix(BL_REFUSAL_PREFIX) } }
    var isDone: Bool { lines.contains("done") }
    /// The mechanisms of confinement in force, as bits.
    var inForce: UInt32 {
      let line = lines.first { $0.hasPrefix("in force: ") } ?? ""
      return UInt32(line.dropFirst(10).prefix { $0.isNumber }) ?? 0
    }
    var description: String { "\(exitCode): \(lines)" }
  }

  func perform(
    _ deed: String, writingTo folder: String? = nil, inRealTime: Bool = false
  ) throws -> Outcome {
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.program
    process.arguments =
      [library, deed, bundle.url.path, folder ?? data.url.path] + (inRealTime ? ["realtime"] : [])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      exitCode: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      lines: String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init))
  }
}
