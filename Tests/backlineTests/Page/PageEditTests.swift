import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// What a musician changes on the page: scenes, controls, presets, and units that are heard first.
  @Suite(.serialized) struct PageEdits {
    private static let rack = """
      rack: Page
      inputs: { in: { channels: 2 }, keys: { midi: true } }
      outputs: { out: { channels: 2 } }
      units:
        echo: { unit: aufx/dely/bkln, parameters: { mix: 30 % } }
        level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }
      connections: [ in -> echo -> level -> out ]
      controls:
        - { from: keys cc 7, to: echo.mix }
        - { from: keys cc 7, to: level.gain, range: [-20 dB, 0 dB] }
      # For the evening.
      scenes:
        verse: { level.gain: -6 dB }   # quiet
      """

    private func run(
      _ view: String, rack: String = rack, body: (BrowserPage, TemporaryFolder) async throws -> Void
    ) async throws {
      try await PageRig.run(rack, view: view, awaiting: ".box[data-name=out]") {
        try await body($0.page, $0.folder)
      }
    }

    private func ctl(_ words: String...) throws -> String {
      let program = try Program(["ctl", "--rack", "Page"] + words)
      _ = program.waitForEnd()
      return program.output
    }

    /// The cables, as a copy of the rack has them.
    private func chains(_ folder: TemporaryFolder) throws -> String {
      let copy = folder.path("copy.yaml")
      _ = try ctl("save", "--force", copy)
      return try String(contentsOfFile: copy, encoding: .utf8)
    }

    /// Presses a button as a person does who has no pointer.
    private func press(_ page: BrowserPage, _ selector: String) async throws {
      try await page.wait(forElement: selector)
      try page.value("document.querySelector(`\(selector)`).focus()")
      try page.press("Enter")
    }

    @Test func aSceneIsStoredRenamedAndRemoved() async throws {
      try await run("rack") { page, folder in
        _ = try ctl("scene", "verse")
        _ = try ctl("set", "echo.mix", "70", "%")
        try await page.wait(
          "document.querySelector('[aria-label=\"Recall verse\"]').textContent === 'verse'")
        try await page.wait(forElement: "[aria-label='Name of the new scene']")
        try page.value("document.querySelector('[aria-label=\"Name of the new scene\"]').focus()")
        try page.type("solo")
        try page.press("Enter")
        let solo = "[aria-label='Recall solo']"
        try await page.wait("document.querySelector(`\(solo)`)?.ariaPressed === 'true'")
        // Another value is a change of the scene, until it is stored.
        _ = try ctl("set", "echo.mix", "80", "%")
        try await page.wait("document.querySelector(`\(solo)`).textContent === 'solo *'")
        try await press(page, "[aria-label='Store the present values as solo']")
        try await page.wait("document.querySelector(`\(solo)`).textContent === 'solo'")
        try await press(page, "[aria-label='Recall verse']")
        try await page.wait(
          "document.querySelector('[aria-label=\"Recall verse\"]').ariaPressed === 'true'")
        #expect(try ctl("get", "echo.mix") == "30 %\n")
        try await press(page, "[aria-label='Rename solo']")
        try await page.wait(forElement: "[aria-label='New name of solo']")
        try page.type("chorus")
        try page.press("Enter")
        try await press(page, "[aria-label='Recall chorus']")
        try await page.wait(
          "document.querySelector('[aria-label=\"Recall chorus\"]').ariaPressed === 'true'")
        #expect(try ctl("get", "echo.mix") == "80 %\n")
        try await press(page, "[aria-label='Save the rack: there are changes']")
        try await page.wait(forElement: "[aria-label='Save the rack: all is saved']")
        let written = try String(contentsOfFile: folder.path("page.yaml"), encoding: .utf8)
        #expect(
          written.hasSuffix(
            """
            # For the evening.
            scenes:
              verse: { level.gain: -6 dB, echo.mix: 30 % }   # quiet
              chorus: { level.gain: -6 dB, echo.mix: 80 % }
            """), "\(written)")
        try await press(page, "[aria-label='Remove chorus']")
        try await page.wait("!document.querySelector(`[aria-label='Recall chorus']`)")
        #expect(try ctl("scenes") == "verse\n")
        #expect(try ctl("store-scene", "far away", "--over", "2s") == "scene far away stored\n")
        #expect(try ctl("rename-scene", "far away", "near") == "scene far away renamed to near\n")
        try await page.wait(forElement: "[aria-label='Recall near']")
      }
    }

    @Test func controlsAreEditedLearnedAndForgotten() async throws {
      try await run("rack") { page, _ in
        let low = "[aria-label='Lowest, keys cc 7 to echo.mix']"
        try await page.wait(
          "document.querySelector('section[aria-label=\"keys cc 7\"]')?.textContent.includes('macro of 2')"
        )
        try page.value("document.querySelector(`\(low)`).focus()")
        try page.type("10 %")
        try page.press("Enter")
        try page.value("document.activeElement.blur()")
        try await page.wait(
          "document.querySelector(`\(low)`).value === '10 %' && document.querySelector('[aria-label=\"Highest, keys cc 7 to echo.mix\"]').value !== ''"
        )
        #expect(try ctl("controls").contains("keys cc 7 -> echo.mix, 10 % to 100"))
        // Learning is shown, and can be cancelled.
        try page.value("document.querySelector('[aria-label=\"What the control moves\"]').focus()")
        try page.type("echo.feedback")
        try page.press("Enter")
        try await page.wait(
          "document.querySelector('#learn:not([hidden])')?.textContent.includes('echo.feedback')")
        try page.press("Escape")
        try await page.wait("document.querySelector('#learn').hidden")
        // And carried out.
        try page.press("Enter")
        try await page.wait("!document.querySelector('#learn').hidden")
        _ = try ctl("midi", "keys", "B0", "15", "40")
        try await page.wait(forElement: "section[aria-label='keys cc 21 channel 1']")
        try await press(page, "[aria-label='Forget keys cc 7 to echo.mix']")
        try await page.wait("!document.querySelector(`\(low)`)")
        #expect(
          try ctl("controls").split(separator: "\n").map { $0.prefix { $0 != "," } } == [
            "keys cc 7 -> level.gain", "keys cc 21 channel 1 -> echo.feedback",
          ])
      }
    }

    @Test func aPresetIsSavedAndDeleted() async throws {
      try await run("unit/echo") { page, folder in
        _ = try ctl("set", "echo.mix", "66", "%")
        try await press(page, "[aria-label='Save as a preset']")
        try await page.wait(forElement: "[aria-label='Name of the preset']")
        try page.type("Tonight")
        try page.press("Enter")
        let preset = "document.querySelector('[aria-label=Preset]')"
        try await page.wait("\(preset)?.options[0].textContent === 'Tonight'")
        let file = folder.path("data/backline/presets/aufx-dely-bkln/Tonight.yaml")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("mix: 66"))
        _ = try ctl("preset", "echo", "Slapback")
        try await page.wait("\(preset)?.options[0].textContent === 'Slapback'")
        try await page.wait("[...\(preset).options].some((one) => one.value === 'Tonight')")
        try page.value("\(preset).value = 'Tonight'; \(preset).dispatchEvent(new Event('change'))")
        try await page.wait(
          "document.querySelector('[aria-label=\"Delete the preset Tonight\"]:not([hidden])')")
        #expect(try ctl("get", "echo.mix") == "66 %\n")
        try await press(page, "[aria-label='Delete the preset Tonight']")
        try await press(page, ".menu button")
        try await page.wait("\(preset)?.options[0].textContent === 'Preset …'")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try ctl("get", "echo.mix") == "66 %\n")
      }
    }

    @Test func twoSettingsAreComparedInOneStep() async throws {
      try await run("unit/echo") { page, _ in
        try await press(page, "[aria-label='Setting B']")
        try await page.wait(
          "document.querySelector('[aria-label=\"Setting B\"]').ariaPressed === 'true'")
        _ = try ctl("set-all", "echo.mix=70 %, echo.time=1 s")
        let mix = "document.querySelector('[role=slider][aria-label=Mix]').ariaValueText"
        try await page.wait("\(mix) === '70 %'")
        try await press(page, "[aria-label='Setting A']")
        try await page.wait("\(mix) === '30 %'")
        #expect(try ctl("undo").contains("undone: echo."))
        try await page.wait("\(mix) === '70 %'")
        #expect(try ctl("get", "echo.time") == "1 s\n")
        _ = try ctl("redo")
        // Both are there when the page has been left.
        try page.show("rack")
        try await page.wait(forElement: ".box")
        try page.show("unit/echo")
        try await press(page, "[aria-label='Setting B']")
        try await page.wait("\(mix) === '70 %'")
        try await press(page, "[aria-label='Copy B to A']")
        _ = try ctl("set", "echo.mix", "1", "%")
        try await page.wait("\(mix) === '1 %'")
        try await press(page, "[aria-label='Setting A']")
        try await page.wait("\(mix) === '70 %'")
      }
    }

    @Test func aUnitIsHeardBeforeItIsKept() async throws {
      try await run("library") { page, folder in
        try await page.wait(forElement: ".card")
        #expect(
          try page.value("document.querySelector('[aria-label^=Audition]') === null") as? Bool
            == true)
        let into = "document.querySelector('[aria-label=\"Insert into\"]')"
        try page.value(
          "\(into).value = 'echo -> level'; \(into).dispatchEvent(new Event('change'))")
        try page.value("document.querySelector('[type=search]').focus()")
        try page.type("tremolo")
        let bar = "document.querySelector('[aria-label=Audition]')?.textContent"
        try await press(page, "[aria-label='Audition Tremolo']")
        try await page.wait("\(bar)?.includes('You hear tremolo in echo -> level')")
        let chain = "in -> echo -> tremolo -> level -> out"
        #expect(try chains(folder).contains(chain))
        // What is searched for stays, and another takes its place.
        #expect(
          try page.value("document.querySelector('[type=search]').value") as? String == "tremolo")
        try page.value("document.querySelector('[type=search]').select()")
        try page.type("ring modulator")
        try await press(page, "[aria-label='Audition Ring Modulator']")
        try await page.wait("\(bar)?.includes('You hear ring_modulator')")
        #expect(try chains(folder).contains("in -> echo -> ring_modulator -> level -> out"))
        // Cancelled, nothing is left to undo.
        try page.value(
          "[...document.querySelectorAll('[aria-label=Audition] button')].at(-1).focus()")
        try page.press("Enter")
        try await page.wait("\(bar) === undefined")
        #expect(try ctl("undo") == "")
        // Left, it goes; kept, it is one step.
        try await press(page, "[aria-label='Audition Ring Modulator']")
        try await page.wait("\(bar) !== undefined")
        try page.show("stage")
        try await page.wait(forElement: ".stage")
        try await page.wait("document.querySelector('#tools button').disabled")
        #expect(try chains(folder).contains("in -> echo -> level -> out"))
        try page.show("library")
        try await page.wait(forElement: ".card")
        try page.value(
          "\(into).value = 'echo -> level'; \(into).dispatchEvent(new Event('change'))")
        try await press(page, "[aria-label='Audition Tremolo']")
        try await page.wait("\(bar) !== undefined")
        try await press(page, "[aria-label=Audition] button")
        try await page.wait("document.querySelector('h2')?.textContent === 'tremolo'")
        #expect(try chains(folder).contains(chain))
        _ = try ctl("undo")
        #expect(try ctl("undo") == "")
        #expect(try chains(folder).contains("in -> echo -> level -> out"))
      }
    }

    @Test func aBoxIsMovedByPointerAndByKeys() async throws {
      try await run("rack") { page, _ in
        let edge = "Number(document.querySelector('.box[data-name=echo] rect').getAttribute('x'))"
        let lower = "Number(document.querySelector('.box[data-name=echo] rect').getAttribute('y'))"
        let x = try #require(try page.value(edge) as? Double)
        let y = try #require(try page.value(lower) as? Double)
        // By keys, once for three presses.
        try page.value("document.querySelector('.box[data-name=echo]').focus()")
        for _ in 0..<3 { try page.press("ArrowDown", modifiers: 1) }
        try await page.wait("\(lower) === \(Int(y.rounded()) + 30)")
        #expect(try page.value("document.activeElement.dataset.name") as? String == "echo")
        // By the pointer, once it is asked for; a drag makes no cable then.
        try page.value(
          "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Move boxes').click()"
        )
        let box = try page.middle(of: ".box[data-name=echo]")
        try page.drag(".box[data-name=echo]", toX: box.x + 60, y: box.y)
        try await page.wait("\(edge) > \(x + 20)")
        try page.value(
          "[...document.querySelectorAll('button')].find((one) => one.textContent === 'Tidy up').click()"
        )
        try await page.wait("\(edge) === \(x) && \(lower) === \(y)")
        #expect(try page.value("document.querySelector('#tools button').disabled") as? Bool == true)
      }
    }

    @Test func theStageHasTheTuner() async throws {
      let rack = """
        rack: Page
        inputs: { keys: { midi: true } }
        outputs: { out: { channels: 2 } }
        units: { tone: { unit: aumu/sine/bkln }, pitch: { unit: aufx/tunr/bkln } }
        connections: [ keys -> tone -> pitch -> out ]
        """
      try await run("stage", rack: rack) { page, _ in
        try await page.wait("document.querySelector('.tuner')?.textContent === '–play a note'")
        // From the page's own connection: the note ends with its sender's.
        let play =
          "import('/link.js').then(({ link }) => link.ask('midi', { to: 'keys', bytes: '90 40 64' }))"
        try page.value(play)
        try await page.wait("document.querySelector('.tuner.in')?.textContent === 'E4in tune'")
        _ = try ctl("set", "pitch.reference", "450", "Hz")
        try await page.wait(
          "document.querySelector('.tuner:not(.in)')?.textContent === 'E439 cents low'")
        #expect(
          try page.value(
            "[...document.querySelectorAll('.needle i')].map((bar) => bar.className).join()")
            as? String == "lit,,,,,,,,")
      }
    }

    /// How far sound moves a parameter is a band in its bar; its menu ends that.
    @Test func aModulationIsShownAndRemoved() async throws {
      try await run("unit/level") { page, _ in
        let slider = "[role=slider][aria-label=Gain]"
        try await page.wait(forElement: slider)
        #expect(try page.value("document.querySelector('.modulated') === null") as? Bool == true)
        _ = try ctl("modulate", "echo", "level.gain", "10 %")
        try await page.wait(forElement: ".modulated\(slider)")
        #expect(
          try page.value("document.querySelector('\(slider)').getAttribute('aria-description')")
            as? String == "modulated by echo, 10 %")
        try page.picture("modulated")
        try page.value("document.querySelector('\(slider)').focus()")
        try page.call(
          "Input.dispatchKeyEvent",
          ["type": "rawKeyDown", "key": "F10", "windowsVirtualKeyCode": 121, "modifiers": 8])
        try await page.wait(forElement: ".menu")
        try page.press("Enter")
        try await page.wait("!document.querySelector('.modulated')")
        #expect(try ctl("unmodulate", "level.gain").isEmpty)
      }
    }

    /// The menu of a parameter: by the menu key, and by a finger that stays.
    @Test func aParametersMenuOpensByKeysAndByTouch() async throws {
      try await run("unit/level") { page, _ in
        let slider = "[role=slider][aria-label=Gain]"
        try await page.wait(forElement: slider)
        try page.value("document.querySelector('\(slider)').focus()")
        try page.call(
          "Input.dispatchKeyEvent",
          ["type": "rawKeyDown", "key": "F10", "windowsVirtualKeyCode": 121, "modifiers": 8])
        try await page.wait(forElement: ".menu")
        try page.press("Enter")
        try await page.wait(
          "!document.querySelector('#learn').hidden && document.querySelector('\(slider)').classList.contains('learning')"
        )
        #expect(try page.value("document.activeElement.ariaLabel") as? String == "Gain")
        try page.click("#learn button")
        try await page.wait(
          "document.querySelector('#learn').hidden && !document.querySelector('.learning')")
        // A tap on the value types it, a finger that stays opens the menu once and types nothing.
        try page.value(
          """
          window.events = [];
          for (const name of ['pointerdown', 'pointerup', 'pointercancel', 'pointerleave', 'contextmenu', 'touchcancel'])
            document.addEventListener(name, ({ target }) => events.push(`${name} ${target.className}`), true);
          """)
        // A busy browser may end a touch early: the finger tries again.
        let hasMenu = {
          try page.value("document.querySelector('.menu') !== null") as? Bool == true
        }
        for _ in 0..<3 {
          let place = try page.middle(of: "\(slider) .value")
          try page.call(
            "Input.dispatchTouchEvent",
            ["type": "touchStart", "touchPoints": [["x": place.x, "y": place.y]]])
          for _ in 0..<40 where try !hasMenu() { try await Task.sleep(for: .milliseconds(50)) }
          if try hasMenu() { break }
          _ = try? page.call(
            "Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [Any]()])
        }
        let events = try page.value("events.join('; ')") as? String ?? ""
        try #require(try hasMenu(), "\(events)")
        try page.call("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [Any]()])
        try await Task.sleep(for: .milliseconds(500))
        #expect(try page.value("document.querySelectorAll('.menu').length") as? Double == 1)
        #expect(
          try page.value("document.querySelector('\(slider) input') === null") as? Bool == true)
        #expect(try ctl("get", "level.gain") == "-6 dB\n")
        // Typing by keys, in the page that has the focus: the value is set, and the bar keeps the focus.
        try page.call("Page.bringToFront")
        try page.value("document.querySelector('\(slider)').focus()")
        try page.press("Enter")
        try await page.wait(forElement: "\(slider) input")
        try page.type("-3 dB")
        try page.press("Enter")
        try await page.wait("document.querySelector('\(slider)').ariaValueText === '-3 dB'")
        #expect(try page.value("document.activeElement.ariaLabel") as? String == "Gain")
        #expect(try ctl("get", "level.gain") == "-3 dB\n")
        try page.press("Enter")
        try await page.wait(forElement: "\(slider) input")
        try page.press("Escape")
        try await page.wait("document.activeElement.matches('\(slider)')")
        #expect(try ctl("get", "level.gain") == "-3 dB\n")
      }
    }
  }
}
