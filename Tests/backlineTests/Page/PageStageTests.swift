import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// The stage: on one screen at every size, with alarms, and heard without eyes.
  @Suite(.serialized) struct PageStage {
    private static let rack = """
      rack: A rack with a rather long name
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units: { pitch: { unit: aufx/tunr/bkln }, echo: { unit: Delay, process: own } }
      connections: [ in -> pitch -> echo -> out ]
      scenes:
        Clean: { echo.mix: 0 % }
        Rhythm: { echo.mix: 10 % }
        "Ambient with everything": { echo.mix: 20 % }
        Solo: { echo.mix: 30 % }
        Tune: { echo.mix: 40 % }
        Incomprehensibilities: { echo.mix: 50 % }
        End: { echo.mix: 60 % }
      """

    private func run(_ body: (BrowserPage, Rig) async throws -> Void) async throws {
      try await PageRig.run(Self.rack, view: "stage") { own in
        try await own.page.wait(forElement: "[data-scene=End]")
        try await body(own.page, own.rig)
      }
    }

    /// Nothing scrolls, and each name is whole within its tile.
    @Test func theStageFitsEveryScreen() async throws {
      try await run { page, _ in
        for (width, height) in [
          (390, 844), (844, 390), (820, 1180), (1180, 820), (1440, 900), (1920, 1080),
        ] {
          try page.resize(width, height)
          let problems = """
            [...document.querySelectorAll('.stage button, .stage .song, .stage .clock')].flatMap((e) => {
              const inner = document.createRange(), view = document.querySelector('#view').getBoundingClientRect();
              inner.selectNodeContents(e);
              const text = inner.getBoundingClientRect(), box = e.getBoundingClientRect();
              if (!box.width) return [];
              // A tight line's letters reach over it by the room that fonts leave above and below them.
              const room = parseFloat(getComputedStyle(e.querySelector('span') ?? e).fontSize) / 4;
              const isIn = (one, other) => one.left >= other.left - 1 && one.right <= other.right + 1
                && one.top >= other.top - room && one.bottom <= other.bottom + room;
              const label = e.querySelector('span'), size = label && parseFloat(getComputedStyle(label).fontSize);
              const letters = document.createRange();
              if (label) letters.selectNodeContents(label);
              const lines = new Set([...letters.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
              // Only a word that is too long for the smallest letters is broken.
              const isBroken = label && size > 13 && lines > label.textContent.split(' ').length;
              return [isBroken && `broken ${e.textContent}`, !isIn(text, box) && `text of ${e.textContent}`, !isIn(box, view) && `place of ${e.textContent}`].filter(Boolean);
            })
            """
          // Fonts and tiles come to rest first.
          for _ in 0..<100 where try page.value("\(problems).join()") as? String != "" {
            try await Task.sleep(for: .milliseconds(20))
          }
          let found = try page.value("\(problems).join()") as? String
          #expect(found == "", "\(width) × \(height)")
          let scrolls = "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)"
          #expect(
            try page.value("\(scrolls)(document.querySelector('#view'))") as? Bool == false,
            "\(width) × \(height)")
        }
      }
    }

    @Test func alarmsAndScenesOfOthersAreSaid() async throws {
      try await run { page, rig in
        let alarm = "document.querySelector('.alarms')"
        #expect(try page.value("\(alarm).hidden") as? Bool == true)
        _ = try Program.run("ctl", "scene", "Solo")
        try await page.wait("document.querySelector('.unseen').textContent === 'scene Solo'")
        // Until the rack gives the unit up.
        try await eventually("the unit is given up") {
          let program = rig.program.processIdentifier
          for unit in ProcessTable.children(of: program, named: "backline-unit") {
            kill(pid_t(unit), SIGKILL)
          }
          try await Task.sleep(for: .milliseconds(200))
          return try page.value("\(alarm).textContent.includes('echo has died and stays')")
            as? Bool == true
        }
        _ = try Program.run("ctl", "restart", "echo")
        try await page.wait("\(alarm).hidden")
      }
    }
  }
}
