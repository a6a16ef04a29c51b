import Foundation
import RackModel
import RackSession
import RackTestSupport
import Testing

@Suite struct DocumentationTests {
  /// The examples on the page are valid commands with the built-in units.
  @Test func theExamplesInTheDocumentationAreRight() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/reference/rack-file.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let examples = text.split(separator: "```yaml\n").dropFirst()
      .compactMap { $0.split(separator: "```", maxSplits: 1).first }
    var checker = RackChecker(catalogue: TestRacks.catalogue.facts, folder: "/racks") {
      $0 == "/racks/sounds/loop.wav"
    }
    checker.targets = Commands.targets
    let checked = examples.map { checker.check($0.utf8, file: "example") }
    #expect(checked.flatMap(\.1).map(\.description) == [])
    #expect(checked.map(\.0?.cables.count) == [7, 3, 3, 3, 5])
  }
}
