import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Every view, at the sizes of a tablet, a laptop and a telephone. With BACKLINE_WRITE_DOCS=1 their
  /// pictures are written into docs/guide/images.
  @Suite(.serialized) struct PageViews {
    private static let sizes = [(1180, 820), (1440, 900), (390, 844)]
    /// A rack that ships, views of it, and something that each shows.
    static let shows: [(rack: String, views: [(name: String, element: String)])] = [
      (
        "drum-crusher.yaml",
        [
          ("library", ".card"), ("log", ".list"), ("devices", ".list button"),
        ]
      ),
      ("lead-guitar.yaml", [("rack", ".control")]),
      ("vocal-live.yaml", [("unit/tone", "iframe.face")]),
      ("evening.setlist.yaml", [("stage", ".scenes button"), ("set", ".list button")]),
      ("small-synth.yaml", [("keyboard", ".keys button")]),
    ]

    /// The page, and what its heaviest face loads: a face of several units is one shared script.
    @Test func thePageIsLight() throws {
      let folder = Program.racks.deletingLastPathComponent().appending(path: "page")
      /// Bytes by name of the files in a folder.
      func sizes(_ name: String) throws -> [String: Int] {
        let files = try FileManager.default.contentsOfDirectory(
          at: folder.appending(path: name), includingPropertiesForKeys: [.fileSizeKey])
        return Dictionary(
          uniqueKeysWithValues: try files.compactMap { file in
            let values = try file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
            guard values.isRegularFile == true else { return nil }
            return (file.lastPathComponent, values.fileSize ?? 0)
          })
      }
      let faces = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/views")
        .filter { $0.contains("-") }
      #expect(!faces.isEmpty)
      let shared = try sizes("views")
      let common = ["backline.js", "backline.css", "backline.draw.js"]
      let base = try common.map { try #require(shared[$0]) }.reduce(0, +)
      let scripts = shared.filter { !common.contains($0.key) }.values
      let own = try faces.map { try sizes("views/\($0)").values.reduce(0, +) }
      let page = try sizes("").values.reduce(0, +)
      let all = page + base + (scripts.max() ?? 0) + (own.max() ?? 0)
      #expect((50_000...176_000).contains(all), "\(all)")
    }

    @Test(arguments: shows.indices) func everyViewFitsEverySize(place: Int) async throws {
      let folder = try TemporaryFolder()
      let (rack, views) = Self.shows[place]
      try await Rig.run(
        ["run", Program.racks.appending(path: rack).path, "--page"],
        wrapper: ["env", "XDG_DATA_HOME=\(folder.path("data"))"]
      ) { rig in
        try await rig.program.waitForOutput("page http://")
        let browser = try Browser()
        let page = try browser.open(try PageLink(rig.program.output).url)
        try await page.wait(forElement: "#tools button")
        for (name, element) in views {
          for (width, height) in Self.sizes {
            try page.resize(width, height)
            try page.show(name)
            try await page.wait(forElement: element)
            // So that meters have moved and fonts are there.
            try await Task.sleep(for: .milliseconds(BrowserPage.drawsPictures ? 700 : 50))
            let wide = try page.value(
              """
              [...document.querySelectorAll('body *')].filter((e) =>
                e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.graph, .skip'))
                .map((e) => e.outerHTML.slice(0, 80))
              """)
            #expect(wide as? [String] == [], "\(name), \(width) × \(height)")
            let small = try page.value(
              """
              [...document.querySelectorAll('button, select, input, a, [role=slider]')].filter((e) => {
                const b = e.getBoundingClientRect();
                return b.width && (b.height < 24 || b.width < 24) && !e.closest('.keys, .skip') && !e.matches('.skip');
              }).map((e) => e.outerHTML.slice(0, 80))
              """)
            #expect(small as? [String] == [], "\(name): targets under 24 px")
            let nameless = try page.value(
              """
              [...document.querySelectorAll('button, select, input, [role=slider], [role=meter]')]
                .filter((e) => !(e.hidden || e.ariaLabel || e.textContent.trim() || e.closest('label')))
                .map((e) => e.outerHTML.slice(0, 80))
              """)
            #expect(nameless as? [String] == [], "\(name): elements without a name")
            if width == 1180 || name == "stage" && width == 390 {
              try page.picture("\(name.prefix { $0 != "/" })", width: width)
            }
          }
        }
        #expect(browser.complaints == [])
      }
    }
  }
}

extension BrowserPage {
  /// Whether pictures are written into docs/guide/images.
  static let drawsPictures = ProcessInfo.processInfo.environment["BACKLINE_WRITE_DOCS"] != nil

  /// Writes a picture for the guide, if it is to be drawn.
  func picture(_ name: String, width: Int = 1180) throws {
    guard Self.drawsPictures else { return }
    let images = Program.racks.deletingLastPathComponent().appending(path: "docs/guide/images")
    try screenshot(to: images.appending(path: "page-\(name)-\(width).png").path)
  }
}
