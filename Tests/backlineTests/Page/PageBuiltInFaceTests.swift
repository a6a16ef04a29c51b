import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms.PageFaces {
  /// Opens the face of every built-in unit that has one, once it has drawn.
  static func runAll(
    width: Int = 1180, height: Int = 820,
    _ body: (_ unit: String, _ face: BrowserPage, _ page: BrowserPage) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let table = Program.racks.deletingLastPathComponent().appending(path: "page/views/faces.json")
    let scripts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: table))
    let codes = scripts.keys.sorted().map { $0.split(separator: "-") }
    #expect(codes.count > 30)
    let units = codes.map { "  \($0[1]): { unit: \($0.joined(separator: "/")) }" }
    let rack = try folder.write(
      "faces.yaml",
      bytes: Array(
        """
        rack: Faces
        inputs: { in: { channels: 2 } }
        outputs: { out: { channels: 2 } }
        units:
        \(units.joined(separator: "\n"))
        connections: [ in -> gain -> out, in -> voco -> out ]

        """.utf8))
    try await LivePrograms.Rig.run(
      ["run", rack, "--page"], wrapper: ["env", "XDG_DATA_HOME=\(folder.path("data"))"]
    ) { rig in
      try await rig.program.waitForOutput("page http://")
      let browser = try Browser()
      let page = try browser.open(
        try PageLink(rig.program.output).url, width: width, height: height)
      try await page.wait(forElement: "#tools button")
      for code in codes {
        try page.show("unit/\(code[1])")
        try await page.wait("document.querySelector('h2')?.textContent === '\(code[1])'")
        try await page.wait(forElement: "iframe.face")
        let face = try #require(try await browser.frame(of: code.joined(separator: "-")))
        // It has drawn something, on a canvas or as elements.
        try await face.wait("document.body.childElementCount > 0")
        try await Task.sleep(for: .milliseconds(200))
        let removed = try page.text("[role=alert].warn")
        #expect(removed == nil, "\(code[1])")
        try await body(String(code[1]), face, page)
      }
      #expect(browser.complaints == [])
    }
  }

  /// The face of every built-in unit draws, has its unit's values, and names its handles with them.
  @Test func everyBuiltInFaceDraws() async throws {
    try await Self.runAll { name, face, _ in
      let drawn = try face.value(
        """
        [...document.querySelectorAll('canvas')].some((canvas) =>
          canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte))
        """)
      #expect(drawn as? Bool == true, "\(name)")
      // Also the vocoder's, which has a signal of a parameter's name.
      let valueless = try face.value(
        """
        backline.audioUnit.then(({ parameterTree }) => parameterTree.allParameters()
          .filter(({ value }) => !Number.isFinite(value)).map(({ keyPath }) => keyPath))
        """)
      #expect(valueless as? [String] == [], "\(name)")
      let nameless = try face.value(
        "[...document.querySelectorAll('button')].filter((one) => !one.hidden && !(one.ariaLabel || one.textContent.trim())).length"
      )
      #expect(nameless as? Double == 0, "\(name)")
    }
  }
}

@Suite struct FaceTableTests {
  /// The FM synth's face draws the algorithms that the unit plays.
  @Test func theAlgorithmsAreTheUnits() throws {
    let root = Program.racks.deletingLastPathComponent()
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let rows = try text("Sources/CUnits/fm/fm_algorithms.h")
      .matches(of: /\{("\d*"(?:, "\d*"){6})\}/)
    let played = rows.map { String($0.1.filter { $0 != "\"" && $0 != " " }) }
    let drawn = try text("page/views/aumu-fmop-bkln/operators.js")
      .matches(of: /\d*(?:,\d*){6}/).map { String($0.0) }
    #expect(played.count == 32 && drawn == played)
  }
}
