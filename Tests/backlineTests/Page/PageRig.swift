import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// A rack that plays, and its page in a browser.
  struct PageRig {
    let rig: Rig
    let browser: Browser
    let page: BrowserPage
    /// The folder of the rack's file and of the program's data.
    let folder: TemporaryFolder

    /// Plays a rack and opens its page, also at `view`; the browser may complain of nothing.
    ///
    /// - Parameter element: an element of the page to wait for.
    static func run(
      _ rack: String, view: String? = nil, width: Int = 1440, height: Int = 900,
      awaiting element: String = "#tools button", body: (PageRig) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write("page.yaml", bytes: Array(rack.utf8))
      try await Rig.run(
        ["run", file, "--page"], wrapper: ["env", "XDG_DATA_HOME=\(folder.path("data"))"]
      ) { rig in
        try await rig.program.waitForOutput("page http://")
        let browser = try Browser()
        let link = try PageLink(rig.program.output).url
        let page = try browser.open(link, width: width, height: height)
        try await page.wait(forElement: element)
        if let view { try page.show(view) }
        try await body(PageRig(rig: rig, browser: browser, page: page, folder: folder))
        #expect(browser.complaints == [])
      }
    }
  }
}
