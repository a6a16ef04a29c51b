import BacklineTestSupport
import Foundation
import SoundFiles
import Testing

/// The page of a rack in a real browser.
extension LivePrograms {
  @Suite(.serialized) struct Pages {
    static let rack = """
      rack: Page
      inputs: { keys: { midi: true } }
      outputs: { out: { channels: 2 } }
      units:
        tone: { unit: aumu/sine/bkln, parameters: { envelope: { release: 5 ms } } }
        level: { unit: aufx/gain/bkln, parameters: { gain: -40 dB } }
      connections: [ keys -> tone -> level -> out ]
      scenes: { soft: { level.gain: -30 dB }, loud: { level.gain: -3 dB } }
      """

    /// Runs a rack, and passes the link to its page.
    func run(
      _ options: [String] = [], rack: String = rack, devices: String? = nil,
      body: (Rig, PageLink, TemporaryFolder) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write("page.yaml", bytes: Array(rack.utf8))
      if let devices {
        try FileManager.default.createDirectory(
          atPath: folder.path("data/backline"), withIntermediateDirectories: true)
        _ = try folder.write("data/backline/page-devices.json", bytes: Array(devices.utf8))
      }
      let arguments = ["run", file, "--page"] + options
      try await Rig.run(
        arguments, wrapper: ["env", "XDG_DATA_HOME=\(folder.path("data"))"]
      ) { rig in
        try await rig.program.waitForOutput("page http")
        try await body(rig, try PageLink(rig.program.output), folder)
      }
    }

    @Test func aKnobIsHeardAndFollowedByAnotherPage() async throws {
      try await run { rig, link, folder in
        let browser = try Browser()
        let page = try browser.open(link.url, width: 1180, height: 820)
        try await page.wait(forElement: ".box[data-name=level]")
        // The key is used up and gone from the address.
        #expect(try page.value("location.hash") as? String == "#/rack")
        let other = try browser.open(try await rig.anotherLink())
        try await other.wait(forElement: ".box[data-name=level]")
        try other.show("unit/level")
        try await other.wait(forElement: "[role=slider][aria-label=Gain]")
        // Far away: what the hand does arrives late.
        try other.value(
          """
          (() => {
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (data) {
              setTimeout(() => {
                send.call(this, data);
                if (data.includes('"release"')) window.hasReleased = true;
              }, 60);
            };
          })()
          """)

        // A note on the page's keyboard sounds, louder once the other page has moved the knob.
        let file = folder.path("take.wav")
        _ = try Program.run("ctl", "--rack", "Page", "record", "start", "--out", file)
        try page.show("keyboard")
        try await page.wait(forElement: ".white")
        let key = try page.middle(of: ".white")
        try page.pointer("mousePressed", key.x, key.y)
        try await Task.sleep(for: .milliseconds(400))
        try page.picture("played")
        let bar = try other.middle(of: "[role=slider][aria-label=Gain]")
        try other.drag("[role=slider][aria-label=Gain]", toX: bar.x + 60, y: bar.y)
        try await other.wait("window.hasReleased")
        try await Task.sleep(for: .milliseconds(100))
        try page.show("unit/level")
        try await page.wait(forElement: "[role=slider][aria-label=Gain]")
        let shown = "document.querySelector('[role=slider][aria-label=Gain]').ariaValueText"
        let value = try #require(try other.value(shown) as? String)
        try await page.wait("\(shown) === '\(value)'")
        try await Task.sleep(for: .milliseconds(400))
        _ = try Program.run("ctl", "--rack", "Page", "record", "stop")
        let sound = try SoundFile(reading: file).channels[0]
        let peaks = stride(from: 0, to: sound.count, by: 2400).map { start in
          sound[start..<min(start + 2400, sound.count)].map(abs).max() ?? 0
        }
        let start = try #require(peaks.firstIndex { $0 > 1e-4 })
        let (soft, loud) = (peaks[start + 2], peaks.max() ?? 0)
        #expect(loud > soft * 4, "\(peaks)")
        // The note ended when the keyboard was left.
        #expect(peaks.dropLast().last ?? 1 < 1e-5, "\(peaks)")

        // One drag is one step to undo, as this page is told a little after the value.
        try await page.wait("!document.querySelector('#tools button').disabled")
        try page.click("#tools button")
        try await page.wait("\(shown) === '-40 dB'")
        #expect(browser.complaints == [])
      }
    }

    @Test func aSceneIsRecalledOnAnotherPage() async throws {
      try await run { rig, link, _ in
        let browser = try Browser()
        let stage = try browser.open(link.url, width: 1180, height: 820)
        try await stage.wait(forElement: "#tools button")
        try stage.show("stage")
        try await stage.wait(forElement: "[data-scene=loud]")
        try stage.click("[data-scene=loud]")
        try await stage.wait("document.querySelector('[data-scene=loud]').ariaPressed === 'true'")
        let value = try Program.run("ctl", "--rack", "Page", "get", "level.gain")
        #expect(value.output == "-3 dB\n")
        _ = try Program.run("ctl", "--rack", "Page", "set", "level.gain", "-5", "dB")
        try stage.picture("scenes")
        // A value of the scene was moved.
        try await stage.wait(
          "document.querySelector('[data-scene=loud]').lastChild.textContent === 'loud *'")
      }
    }

    @Test func theGraphIsEditedByKeysAlone() async throws {
      try await run { rig, link, _ in
        let page = try Browser().open(link.url)
        try await page.wait(forElement: ".box[data-name=keys]")
        func list() throws -> String {
          let rows = try page.value(
            """
            [...document.querySelectorAll('tbody tr')]
              .map((row) => `${row.cells[0].textContent}>${row.cells[1].textContent}`).join(' ')
            """)
          return rows as? String ?? ""
        }
        try await page.wait("document.querySelectorAll('tbody tr').length === 3")
        // From box to box along the cables, to a unit, and away with it: its neighbours are connected.
        try page.value("document.querySelector('.box[data-name=keys]').focus()")
        try page.press("ArrowRight")
        try page.press("ArrowRight")
        #expect(try page.value("document.activeElement.dataset.name") as? String == "level")
        try page.press("Delete")
        try await page.wait("document.querySelectorAll('tbody tr').length === 2")
        let closed = try list()
        #expect(closed == "tone>out keys>tone")
        // The focus stays near.
        try await page.wait("document.getElementById('view').contains(document.activeElement)")
        // Another unit into a cable: I on the cable, words, Enter on Add.
        try page.value("document.querySelector('.cable.audio').focus()")
        try page.press("i")
        try await page.wait(forElement: "input[type=search]")
        try page.type("tremolo")
        try await page.wait("document.querySelector('.card strong')?.textContent === 'Tremolo'")
        try page.press("Enter")
        #expect(try page.value("document.activeElement.ariaLabel") as? String == "Add Tremolo")
        try page.press("Enter")
        try await page.wait("document.querySelector('h2')?.textContent === 'tremolo'")
        // A value with the arrow keys.
        try page.value("document.querySelector('[role=slider]').focus()")
        let before = try page.value("document.activeElement.ariaValueNow") as? String
        try page.press("ArrowUp")
        try await page.wait("document.activeElement.ariaValueNow !== '\(before ?? "")'")
        // The view is made anew after an edit of the rack, and the focus stays.
        let focus = "document.activeElement.ariaLabel"
        let label = try #require(try page.value(focus) as? String)
        try page.value("window.before = document.activeElement")
        _ = try Program.run("ctl", "--rack", "Page", "disconnect", "tone -> tremolo")
        _ = try Program.run("ctl", "--rack", "Page", "connect", "tone -> tremolo")
        try await page.wait("document.activeElement !== window.before && \(focus) === '\(label)'")
        try page.show("rack")
        let inserted = ["keys>tone", "tone>tremolo", "tremolo>out"]
        try await eventually("the cables are \(inserted)") {
          try list().split(separator: " ").map(String.init).sorted() == inserted
        }
      }
    }

    @Test func aLossIsToldAndHealed() async throws {
      try await run { rig, link, _ in
        let page = try Browser().open(link.url)
        try await page.wait(forElement: ".box[data-name=level]")
        let isLost = "!document.getElementById('lost').hidden"
        // The page's process dies: another takes its port, and the device is known.
        try rig.killPage()
        try await page.wait(isLost)
        try await page.wait("!(\(isLost))")
        _ = try Program.run("ctl", "--rack", "Page", "set", "level.gain", "-7", "dB")
        try page.show("unit/level")
        try await page.wait("document.querySelector('[role=slider]')?.ariaValueText === '-7 dB'")
        rig.program.send(SIGTERM)
        _ = rig.program.waitForEnd()
        try await page.wait("\(isLost) && document.body.classList.contains('lost')")
      }
    }

    @Test func strangersAreRefused() async throws {
      try await run { _, link, _ in
        let own = "Host: 127.0.0.1:\(link.port)\r\n"
        let upgrade =
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        func status(_ request: String) throws -> String {
          String(try link.send("\(request)\r\n").prefix { $0 != "\r\n" })
        }
        #expect(try status("GET / HTTP/1.1\r\n\(own)") == "HTTP/1.1 200 OK")
        #expect(
          try status("GET / HTTP/1.1\r\nHost: evil.example:\(link.port)\r\n")
            == "HTTP/1.1 421 Misdirected Request")
        #expect(try status("GET / HTTP/1.1\r\n").hasPrefix("HTTP/1.1 4"))
        #expect(try status("POST / HTTP/1.1\r\n\(own)").contains("405"))
        #expect(try status("GET /../Package.swift HTTP/1.1\r\n\(own)").contains("404"))
        for origin in ["http://evil.example", "null", "https://127.0.0.1:\(link.port)"] {
          let answer = try status("GET /socket HTTP/1.1\r\n\(own)\(upgrade)Origin: \(origin)\r\n")
          #expect(answer == "HTTP/1.1 403 Forbidden", "\(origin)")
        }
        #expect(try status("GET /socket HTTP/1.1\r\n\(own)\(upgrade)").contains("403"))
        let ours =
          "GET /socket HTTP/1.1\r\n\(own)\(upgrade)Origin: http://127.0.0.1:\(link.port)\r\n"
        #expect(try status(ours) == "HTTP/1.1 101 Switching Protocols")
        // A wrong key; a frame of 2^62 bytes.
        let wrong = try link.converse(ours, frames: [PageLink.text(#"{"key":"00"}"#)])
        #expect(wrong.contains("used up"))
        let huge = try link.converse(
          ours, frames: [[0x81, 0xFF, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]])
        #expect(!huge.contains("token"))
        // The page's policy.
        let page = try link.send("GET / HTTP/1.1\r\n\(own)\r\n").lowercased()
        #expect(page.contains("content-security-policy: default-src 'none'; script-src 'self'"))
        #expect(
          page.contains("frame-ancestors 'none'")
            && page.contains("x-content-type-options: nosniff"))
        // The right key still works, once.
        let key = PageLink.text(#"{"key":"\#(link.key)"}"#)
        #expect(try link.converse(ours, frames: [key]).contains(#""role":"edit""#))
        #expect(try link.converse(ours, frames: [key]).contains("used up"))
      }
    }

    @Test func aPageNamesNoFiles() async throws {
      try await run(devices: PageLink.devices("edit")) { _, link, folder in
        for request in [
          #"{"id":1,"command":"save","path":"/tmp/page.yaml","force":true}"#,
          #"{"id":1,"command":"record","action":"start","file":"/tmp/page.wav"}"#,
          #"{"id":1,"command":"automate","action":"start","file":"/tmp/page.yaml"}"#,
          #"{"id":1,"command":"load","rack":"/tmp/page.yaml"}"#,
          #"{"id":1,"command":"add","name":"evil","unit":"/tmp/evil.unit"}"#,
          #"{"id":1,"command":"replace","name":"level","unit":"evil.yaml"}"#,
          #"{"id":1,"command":"load","rack":"page.yaml"}"#,
        ] {
          let answer = try link.ask(request)
          #expect(answer.contains("may name files"), "\(request)")
        }
        let recorded = try link.ask(#"{"id":1,"command":"record","action":"start"}"#)
        #expect(recorded.contains("recording"))
        let ended = try link.ask(#"{"id":1,"command":"record","action":"stop"}"#)
        #expect(ended.contains(folder.path("Page ")), "\(ended)")
      }
    }

    @Test func aPageOfTheStageDoesNotEdit() async throws {
      try await run(devices: PageLink.devices("stage")) { _, link, _ in
        let scene = try link.ask(#"{"id":1,"command":"scene","name":"loud"}"#)
        #expect(scene.contains("scene loud"))
        for request in [
          #"{"id":1,"command":"set","parameter":"level.gain","value":0}"#,
          #"{"id":1,"command":"remove","name":"level"}"#,
          #"{"id":1,"command":"save"}"#, #"{"id":1,"command":"record","action":"start"}"#,
        ] {
          let refusal = try link.ask(request)
          #expect(refusal.contains("does not edit"), "\(request)")
        }
      }
    }
  }
}
