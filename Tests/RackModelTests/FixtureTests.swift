import Foundation
import RackModel
import Testing
import UnitModel

/// Each file in Tests/Fixtures/racks has one fault, and begins with the expected diagnostics: lines `#
/// expect: LINE:COLUMN: error: message`.
@Suite struct FixtureTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/racks")

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".yaml") }.sorted()

  @Test func thereAreFixtures() {
    #expect(Self.names.count >= 40)
  }

  @Test(arguments: names) func saysWhatIsExpected(name: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: name))
    let expected = String(decoding: data, as: UTF8.self)
      .split(separator: "\n")
      .compactMap { line in
        line.hasPrefix("# expect: ") ? "\(name):" + line.dropFirst("# expect: ".count) : nil
      }
    var checker = RackChecker(catalogue: TestDirectory(), folder: "/music") {
      $0 == "/music/loop.wav"
    }
    checker.targets = TestTargets.all
    let (plan, diagnostics) = checker.check(data, file: name)
    #expect(diagnostics.map(\.description) == expected)
    let hasErrors = diagnostics.contains { $0.severity == .error }
    #expect((plan == nil) == hasErrors)
    #expect(!expected.isEmpty, "a fixture that expects nothing proves nothing")
  }
}
