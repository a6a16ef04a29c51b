import Foundation
import RackModel
import Testing

@Suite struct DocumentationTests {
  /// The example on the page is one that can be typed in.
  @Test func theExampleInTheDocumentationIsRight() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/rack-file.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "```yaml\n"))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    let checker = RackChecker(catalogue: TestCatalogue.units, folder: "/racks") {
      $0 == "/racks/sounds/loop.wav"
    }
    let (plan, diagnostics) = checker.check(
      text[start.upperBound..<end.lowerBound].utf8, file: "example")
    #expect(diagnostics.map(\.description) == [])
    #expect(plan?.cables.count == 7)
  }
}
