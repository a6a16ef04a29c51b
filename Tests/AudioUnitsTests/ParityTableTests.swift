import Foundation
import Testing

/// Every test that docs/reference/audio-unit-parity.md names exists.
@Suite struct ParityTableTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the names of all test functions and of their suites.
  private func testNames() throws -> Set<String> {
    let tests = Self.repository.appendingPathComponent("Tests").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests)
      .filter { $0.hasSuffix(".swift") }
    var names: Set<String> = []
    for file in files {
      let text = try String(contentsOfFile: "\(tests)/\(file)", encoding: .utf8)
      names.formUnion(text.matches(of: /(?:func|struct) (\w+)/).map { String($0.output.1) })
    }
    return names
  }

  @Test func whatWorksHasATestThatIsThere() throws {
    let page = Self.repository.appendingPathComponent("docs/reference/audio-unit-parity.md")
    let known = try testNames()
    var rowCount = 0
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      try #require(cells.count == 6, "\(line)")
      let named = cells[4].matches(of: /`(\w+)`/).map { String($0.output.1) }
      #expect(cells[3].contains("works") == !named.isEmpty, "\(line)")
      for name in named where !known.contains(name) { Issue.record("no test \(name)") }
      rowCount += 1
    }
    #expect(rowCount > 100)
  }
}
