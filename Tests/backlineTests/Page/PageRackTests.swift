import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// The graph's blocks, and the dock of the selected unit.
  @Suite(.serialized) struct PageRack {
    private static let rack = """
      rack: Page
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units: { drive: { unit: Overdrive }, echo: { unit: Delay }, hall: { unit: Reverb } }
      connections: [ in -> drive -> echo -> hall -> out ]
      scenes: { dry: { echo.mix: 0 % }, wet: { echo.mix: 60 % } }
      """

    private func run(_ body: (BrowserPage) async throws -> Void) async throws {
      try await PageRig.run(
        Self.rack, width: 1180, height: 820, awaiting: ".box[data-name=echo]"
      ) { try await body($0.page) }
    }

    private func mix() throws -> Double {
      let text = try Program.run("ctl", "--rack", "Page", "get", "echo.mix").output
      return try #require(Double(text.dropLast(3)))
    }

    @Test func aSelectedUnitHasItsDialsBelow() async throws {
      try await run { page in
        try page.click(".box[data-name=echo] .body")
        try await page.wait(
          "document.querySelector('.dock:not([hidden]) h2')?.textContent === 'echo'")
        let dial = ".dock .dial[aria-label=Mix]"
        // Its ring is above its value, however wide the dock is.
        let width = "document.querySelector('\(dial)').getBoundingClientRect().width"
        #expect(try page.value(width) as? Double == 96)
        let start = try mix()
        let place = try page.middle(of: dial)
        try page.drag(dial, toX: place.x, y: place.y - 60)
        try await eventually("the dial has moved the mix") { try mix() > start + 20 }
        try page.picture("dock")
        // One drag is one step to undo; the unit stays selected.
        _ = try Program.run("ctl", "--rack", "Page", "undo")
        #expect(try mix() == start)
        _ = try Program.run("ctl", "--rack", "Page", "rename", "hall", "room")
        try await page.wait(forElement: ".box[data-name=room]")
        #expect(
          try page.value("document.querySelector('.dock h2').textContent") as? String == "echo")
      }
    }

    /// By keys alone: Space selects, and the dial is turned.
    @Test func keysReachTheDock() async throws {
      try await run { page in
        try page.value("document.querySelector('.box[data-name=echo]').focus()")
        try page.press(" ", code: "Space")
        try await page.wait("document.querySelector('.dock .dial[aria-label=Mix]')")
        try page.value("document.querySelector('.dock .dial[aria-label=Mix]').focus()")
        let start = try mix()
        for _ in 0..<3 { try page.press("ArrowUp") }
        try await eventually("the dial is turned") { try mix() > start + 2 }
      }
    }

    @Test func aLampBypassesItsUnit() async throws {
      try await run { page in
        let isBypassed = "document.querySelector('.box[data-name=drive].bypassed') !== null"
        try page.click("[data-lamp=drive]")
        try await page.wait(isBypassed)
        #expect(try Program.run("ctl", "--rack", "Page", "get", "drive.bypass").output == "on\n")
        try page.click("[data-lamp=drive]")
        try await page.wait("!(\(isBypassed))")
      }
    }
  }
}
