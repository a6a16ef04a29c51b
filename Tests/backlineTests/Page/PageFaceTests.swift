import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Units' own views: in frames that have the unit, and nothing else of the page.
  @Suite(.serialized) struct PageFaces {
    private static let rack = """
      rack: Page
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units:
        tone: { unit: aufx/eqpm/bkln }
        ring: { unit: ./Ring.unit, process: own }
      connections: [ in -> tone -> ring -> out ]
      """

    /// A page of a rack with an equaliser, and with a unit whose view has this script; nil for the
    /// template's.
    private func run(
      view script: String? = nil, body: (Rig, Browser, BrowserPage) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let made = try Program.run("new", "effect", "Ring", "--view", "--folder", folder.url.path)
      #expect(made.status == 0, "\(made.errors)")
      let bundle = folder.path("Ring.unit")
      let make = Process()
      make.executableURL = URL(fileURLWithPath: "/usr/bin/make")
      make.arguments = [
        "-s", "-C", bundle, "CC=\(ProcessInfo.processInfo.environment["CC"] ?? "cc")",
      ]
      try make.run()
      make.waitUntilExit()
      if let script { _ = try folder.write("Ring.unit/view/view.js", bytes: Array(script.utf8)) }
      let file = try folder.write("page.yaml", bytes: Array(Self.rack.utf8))
      try await Rig.run(
        ["run", file, "--page"], wrapper: ["env", "XDG_DATA_HOME=\(folder.path("data"))"]
      ) { rig in
        try await rig.program.waitForOutput("page http://")
        let browser = try Browser()
        let page = try browser.open(try PageLink(rig.program.output).url, width: 1180, height: 820)
        try await page.wait(forElement: "#tools button")
        try await body(rig, browser, page)
      }
    }

    private func gain(_ parameter: String) throws -> String {
      try Program.run("ctl", "--rack", "Page", "get", parameter).output
    }

    @Test func theEqualiserIsDragged() async throws {
      try await run { rig, browser, page in
        try page.show("unit/tone")
        try await page.wait(forElement: "iframe.face")
        let face = try #require(try await browser.frame(of: "aufx-eqpm-bkln"))
        try await face.wait("document.body.childElementCount > 0")
        // The handle of band 4, at 630 Hz and 0 dB; the frame draws, and comes to its place, a moment later.
        // A drag that comes too early does nothing; a late one is waited for, and not made twice.
        func hasMoved() throws -> Bool {
          try page.value("document.querySelector('#tools button').disabled") as? Bool == false
        }
        for _ in 0..<10 where try !hasMoved() {
          let frame = try page.middle(of: "iframe.face")
          let width =
            try page.value("document.querySelector('iframe.face').clientWidth") as? Double ?? 0
          let x = frame.x + (log(630 / 20) / log(1000) - 0.5) * width
          try page.pointer("mousePressed", x, frame.y)
          for step in 1...8 {
            try page.pointer("mouseMoved", x + Double(step), frame.y - Double(step) * 8)
          }
          try page.pointer("mouseReleased", x + 8, frame.y - 64)
          for _ in 0..<30 where try !hasMoved() { try await Task.sleep(for: .milliseconds(100)) }
        }
        try page.picture("equaliser")
        // The frequency may come first.
        try await eventually("the band is lifted") {
          try (4...12).contains(#require(Double(gain("tone.band4.gain").dropLast(4))))
        }
        // One step to undo.
        try page.click("#tools button")
        try await eventually("the band is flat") { try gain("tone.band4.gain") == "0 dB\n" }
        try await page.wait("document.querySelector('#tools button').disabled")
      }
    }

    @Test func aViewOfABundleHasItsUnitAndNothingElse() async throws {
      let script = """
        const outcomes = [];
        const attempt = (name, action) => {
          try { action(); outcomes.push(`${name}: done`); } catch { outcomes.push(`${name}: refused`); }
        };
        backline.audioUnit.then(async (unit) => {
          attempt('parent', () => parent.document.title);
          attempt('storage', () => localStorage.length);
          attempt('top', () => { top.location = 'about:blank'; });
          await fetch('https://127.0.0.1:1/').then(() => outcomes.push('fetch: done'), () => outcomes.push('fetch: refused'));
          const parameter = unit.parameterTree.allParameters().find((one) => one.isWritable && !one.isWhole);
          parameter.setValue(parameter.maximum);
          const isAllRefused = outcomes.every((outcome) => outcome.endsWith('refused'));
          // The reason is shown by the page.
          throw new Error(isAllRefused ? 'all refused' : outcomes.join(', '));
        });
        """
      try await run(view: script) { rig, browser, page in
        try page.show("unit/ring")
        try await page.wait(
          "document.querySelector('[role=alert].warn')?.textContent.includes('removed')")
        let reason = try page.text("[role=alert].warn") ?? ""
        #expect(reason.contains("all refused"), "\(reason)")
        #expect(try page.value("document.querySelector('iframe') === null") as? Bool == true)
        #expect(try page.value("location.hash") as? String == "#/unit/ring")
        let list = try Program.run("ctl", "--rack", "Page", "get", "ring").output
        #expect(list.contains("ring."))
      }
    }

    @Test func aViewHearsItsUnitAndIsHiddenWhileThatIsAway() async throws {
      let script = """
        const heard = new Set();
        const note = (what) => { heard.add(what); document.body.textContent = [...heard].sort().join(' '); };
        backline.audioUnit.then((unit) => {
          unit.supportedViewConfigurations = (available) => [available.findIndex(({ name }) => name === 'Compact')];
          unit.onSelectViewConfiguration(({ name }) => note(name));
          for (const signal of ['levels', 'output.scope', 'input.spectrum', 'nothing']) {
            unit.telemetry.subscribe(signal, () => note(signal));
          }
          for (let count = 0; count < 12; count += 1) {
            unit.messageChannel('wave').callAudioUnit('').then(() => note('answered'), ({ message }) =>
              note(message.includes('wait for an answer') ? 'limited' : 'refused'));
          }
        });
        """
      try await run(view: script) { rig, browser, page in
        try page.show("unit/ring")
        try await page.wait(forElement: "iframe.face")
        let frame = try #require(try await browser.frame(of: "aufx-ring-Demo"))
        try await frame.wait(
          "document.body.textContent === 'Compact input.spectrum levels limited output.scope refused'"
        )
        #expect(
          try page.value("document.querySelector('iframe.face').offsetHeight === 100") as? Bool
            == true)
        let isHidden = "document.querySelector('iframe.face').hidden"
        while try page.value(isHidden) as? Bool == false {
          let parent = Int(rig.program.processIdentifier)
          for child in ProcessTable.children(of: parent, named: "backline-unit") {
            kill(pid_t(child), SIGKILL)
          }
          try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try page.text("[role=status].warn")?.contains("process is away") == true)
        #expect(try page.value("document.querySelector('[role=slider]') !== null") as? Bool == true)
        _ = try Program.run("ctl", "--rack", "Page", "restart", "ring")
        try await page.wait("!\(isHidden)")
      }
    }

    @Test(arguments: [
      ("backline.audioUnit.then(() => { for (;;) {} });", "does not answer"),
      (
        "backline.audioUnit.then((unit) => setInterval(() => { for (let i = 0; i < 100; i += 1) unit.selectPreset(''); }, 10));",
        "200 messages"
      ),
      ("throw new Error('broken');", "broken"),
    ])
    func aViewThatMisbehavesIsRemoved(script: String, reason: String) async throws {
      try await run(view: script) { rig, browser, page in
        try page.show("unit/ring")
        try await page.wait(
          "document.querySelector('[role=alert].warn')?.textContent.includes('\(reason)')")
        if reason == "does not answer" { try page.picture("removed") }
        // The generic view works on.
        try await page.wait(forElement: "[role=slider]")
        try page.value("document.querySelector('[role=slider]').focus()")
        let before = try page.value("document.activeElement.ariaValueNow") as? String
        try page.press("ArrowUp")
        try await page.wait("document.activeElement.ariaValueNow !== '\(before ?? "")'")
        #expect(rig.program.isRunning)
      }
    }
  }
}
