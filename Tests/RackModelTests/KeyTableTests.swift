import Documents
import Foundation
import Testing
import UnitModel

@testable import RackModel

/// The tables of keys on the reference pages equal those of the program.
@Suite struct KeyTableTests {
  static var pages: [String: [any KeyedEntry.Type]] {
    [
      "docs/reference/rack-file.md": [
        Rack.self, Rack.Port.self, Rack.Unit.self, Rack.Modulation.self, Rack.Control.self,
        Rack.Scene.self, Rack.Lane.self, ProcessSettings.self,
      ],
      "docs/guide/set-lists.md": [SetList.self, ProgramInput.self, Song.self],
    ]
  }

  /// With `UPDATE_DOCS=1` in the environment the test writes the tables into the pages.
  @Test(arguments: pages.keys.sorted())
  func thePagesHaveThePresentTables(path: String) throws {
    let page = RackSchemaTests.page(path)
    let text = try String(contentsOf: page, encoding: .utf8)
    var present = text
    for entry in try #require(Self.pages[path]) {
      let start = try #require(present.range(of: "<!-- keys: \(entry.title) -->\n"))
      let end = try #require(
        present.range(of: "<!-- end of keys -->", range: start.upperBound..<present.endIndex))
      present.replaceSubrange(start.upperBound..<end.lowerBound, with: "\n\(entry.table)\n")
    }
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" {
      try present.write(to: page, atomically: true, encoding: .utf8)
    }
    #expect(text == present, "run UPDATE_DOCS=1 scripts/run-tests --filter KeyTableTests")
  }
}
