import BacklineTestSupport
import Foundation
import Testing

/// backline validate.
struct ValidateCommandTests {
  private struct Report: Decodable {
    struct Check: Decodable {
      var check: String
      var title: String
      var result: String
      var reason: String
    }
    var unit: String
    var passes: Bool
    var checks: [Check]
  }

  /// Returns the reports of a validation. `cache`: the folder of remembered results.
  private func reports(
    _ arguments: String..., cache: TemporaryFolder
  ) throws -> (status: Int32, reports: [Report]) {
    let program = try Program(
      ["validate", "--json"] + arguments, wrapper: ["XDG_CACHE_HOME=\(cache.url.path)"])
    let status = program.waitForEnd()
    return (status, try JSONDecoder().decode([Report].self, from: Data(program.output.utf8)))
  }

  /// Returns the validation result that `backline units` prints for each unit, by component.
  private func remembered(
    _ cache: TemporaryFolder, _ wrapper: [String] = []
  ) throws -> [String: String] {
    struct Listing: Decodable {
      var unit: String
      var validation: String
    }
    let program = try Program(
      ["units", "--json"], wrapper: ["XDG_CACHE_HOME=\(cache.url.path)"] + wrapper)
    _ = program.waitForEnd()
    let listings = try JSONDecoder().decode([Listing].self, from: Data(program.output.utf8))
    return Dictionary(listings.map { ($0.unit, $0.validation) }) { first, _ in first }
  }

  @Test func everyUnitThatComesWithBacklinePasses() throws {
    let cache = try TemporaryFolder()
    let (status, reports) = try reports("--all", cache: cache)
    #expect(status == 0)
    #expect(reports.map(\.unit).sorted() == BuiltInUnit.all.map(\.description).sorted())
    for report in reports {
      let failed = report.checks.filter { check in
        // A sanitizer's own memory and locks are in the way of those who would watch the unit's.
        let isBlind = isSanitized && check.check == "render-thread"
        return !["pass", "not applicable", isBlind ? "warning" : "pass"].contains(check.result)
      }
      #expect(report.passes && failed.isEmpty, "\(report.unit): \(failed)")
      #expect(report.checks.count > 40)
    }
    #expect(try remembered(cache)["aufx/dely/bkln"] == "passed")
  }

  @Test(.enabled(if: FaultyUnit.clang != nil, "clang is not on the PATH"))
  func aBundlesResultIsRemembered() throws {
    let cache = try TemporaryFolder()
    let folder = try TemporaryFolder()
    #if arch(arm64)
      let platform = "aarch64-linux"
    #else
      let platform = "x86_64-linux"
    #endif
    let bundle = folder.url.appendingPathComponent("backline/units/Faulty.unit")
    let code = bundle.appendingPathComponent(platform)
    try FileManager.default.createDirectory(at: code, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: try FaultyUnit(name: "hides-its-latency").build(in: folder),
      toPath: code.appendingPathComponent("unit.so").path)
    let manifest = """
      { name: Faulty, type: aufx, subtype: falt, manufacturer: Test, version: 1.0.0, in_process: true,
        manufacturer_name: Test, summary: Breaks one rule., tags: [Test] }
      """
    try Data(manifest.utf8).write(to: bundle.appendingPathComponent("unit.yaml"))

    let some = try reports(bundle.path, "--check", "latency", cache: cache)
    #expect(some.status == 1)
    let library = ["XDG_DATA_HOME=\(folder.url.path)"]
    #expect(try remembered(cache, library)["aufx/falt/Test"] == "unknown")
    let all = try reports(bundle.path, cache: cache)
    #expect(all.status == 1)
    #expect(all.reports.first?.checks.filter { $0.result == "failure" }.map(\.check) == ["latency"])
    #expect(try remembered(cache, library)["aufx/falt/Test"] == "failed")
  }

  @Test func theTableHasALineForEachCheckAndALastOne() throws {
    let result = try Program.run("validate", "tremolo", "--check", "latency", "--check", "tail")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines.first?.contains("aufx/tmlo/bkln") == true)
    #expect(lines[1].contains("latency") && lines[1].contains("pass"))
    #expect(lines.last == "Tremolo passes: 2 passed")
  }

  @Test(.enabled(if: FaultyUnit.clang != nil, "clang is not on the PATH"))
  func aUnitThatFailsEndsWithOne() throws {
    let folder = try TemporaryFolder()
    let library = try FaultyUnit(name: "no-tags").build(in: folder)
    let (status, reports) = try reports(
      library, "--check", "tags", "--check", "busses", cache: folder)
    #expect(status == 1)
    let report = try #require(reports.first)
    #expect(!report.passes)
    #expect(report.checks.map(\.result) == ["failure", "pass"])
    #expect(report.checks[0].reason == "there are no tags")
    let named = try Program.run("validate", "faulty", "--library", library, "--check", "tags")
    #expect(named.status == 1)
    #expect(
      named.output.contains("FAIL") && named.output.contains("Faulty DOES NOT PASS: 1 failed"))
  }

  @Test func whatIsNotThereHasANearestWord() throws {
    let check = try Program.run("validate", "Delay", "--check", "latncy")
    #expect(check.status == 2 && check.errors.contains("did you mean “latency”?"))
    let unit = try Program.run("validate", "Dely")
    #expect(unit.status == 2 && unit.errors.contains("did you mean “Delay”?"))
    let library = try Program.run("validate", "./nothing.so")
    #expect(library.status == 1 && library.errors.contains("./nothing.so"))
  }
}
