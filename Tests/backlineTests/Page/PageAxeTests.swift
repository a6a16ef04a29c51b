import BacklineTestSupport
import Foundation
import Testing

/// axe-core, which `make test-page` fetches.
private let axe = Program.racks.deletingLastPathComponent().appending(path: ".build/axe.min.js")

extension LivePrograms {
  /// Every view and every face, by axe-core, the usual judge of what screen readers and keys can use.
  @Suite(
    .serialized,
    .enabled("scripts/fetch-axe fetches axe-core") {
      FileManager.default.fileExists(atPath: axe.path)
    })
  struct PageAxe {
    @Test(arguments: PageViews.shows.indices) func axeFindsNothing(place: Int) async throws {
      let folder = try TemporaryFolder()
      let (rack, views) = PageViews.shows[place]
      try await Rig.run(
        ["run", Program.racks.appending(path: rack).path, "--page"],
        wrapper: ["env", "XDG_DATA_HOME=\(folder.path("data"))"]
      ) { rig in
        try await rig.program.waitForOutput("page http://")
        let browser = try Browser()
        let page = try browser.open(
          try PageLink(rig.program.output).url, width: 1180, height: 820)
        try await page.wait(forElement: "#tools button")
        for (name, element) in views {
          try page.show(name)
          try await page.wait(forElement: element)
          let broken = try page.violations()
          #expect(broken == [], "\(name)")
        }
      }
    }

    @Test func axeFindsNothingInAnyFace() async throws {
      try await PageFaces.runAll { name, face, _ in
        let broken = try face.violations()
        #expect(broken == [], "\(name)")
      }
    }
  }
}

extension BrowserPage {
  /// The rules that are broken, with the first element of each.
  fileprivate func violations() throws -> [String] {
    try value(try String(contentsOf: axe, encoding: .utf8) + "; 0")
    let found = try value(
      """
      axe.run(document, { iframes: false }).then(({ violations }) =>
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`))
      """)
    return found as? [String] ?? ["axe did not run"]
  }
}
