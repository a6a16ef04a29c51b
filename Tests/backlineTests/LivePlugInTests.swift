import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Plug-ins in a rack that plays.
  @Suite(.serialized) struct LivePlugIns {
    /// A mono plug-in gets the drum loop's two channels mixed to one.
    @Test func aMonoPlugInIsPlayed() async throws {
      let folder = try TemporaryFolder()
      try await Rig.run(
        "play", "lv2:http://lv2plug.in/plugins/eg-amp",
        wrapper: ["LV2_PATH=/usr/lib/lv2", "XDG_CACHE_HOME=\(folder.path("cache"))"]
      ) { rig in
        try await rig.program.waitForOutput("ready: Simple Amplifier")
        try rig.probe.connect("Simple Amplifier:main", "capturer:in_1")
        let heard = try await rig.probe.play([Signals.constant(0, frames: 48_000)], frames: 48_000)
        #expect(heard.channels[0].map(\.magnitude).max() ?? 0 > 0.1)
      }
    }

    /// A saved rack contains a plug-in's state besides its parameters: "echo" has received a level of 0.5.
    @Test func aSavedRackHasAPlugInsOwnState() async throws {
      let folder = try PlugInFixtures.folder(with: "echo")
      let level = Signals.constant(0.5, frames: 48_000)
      let file = try SoundFile(sampleRate: 48_000, channels: [level]).write(folder.path("n.wav"))
      let rack = try folder.write(
        "echo.yaml",
        bytes: Array(
          """
          rack: Echo state
          outputs: { out: { channels: 1 } }
          units:
            level: { unit: Player, channels: 1, properties: { file: \(file) } }
            echo: { unit: "lv2:urn:test:echo", parameters: { gain: 2 } }
          connections: [ level -> echo -> out ]
          """.utf8))
      for isSaved in [false, true] {
        try await Rig.run(
          "run", rack,
          wrapper: ["LV2_PATH=\(folder.path("lv2"))", "XDG_CACHE_HOME=\(folder.path("cache"))"]
        ) { rig in
          try await rig.program.waitForOutput("ready: ")
          try rig.probe.connect("Echo state:out", "capturer:in_1")
          let heard = try await rig.probe.play([Signals.constant(0, frames: 4800)], frames: 4800)
          #expect(heard.channels[0].map(\.magnitude).max() ?? 0 > 0.9)
          let program = try Program(["ctl", "--rack", "Echo state", "save"])
          #expect(program.waitForEnd() == 0, "\(program.errors)")
          #expect(
            program.output.contains(isSaved ? "is up to date" : "saved in"), "\(program.output)")
        }
        let text = try String(contentsOfFile: rack, encoding: .utf8)
        #expect(text.contains("state:") && text.contains("echo:peak> "), "\(text)")
        #expect(text.contains("gain: 2") && !text.contains("echo:gain"), "\(text)")
      }
    }

    /// A bypass reaches "latch", which stores it in its own file.
    @Test func aPlugInKeepsFilesInItsFolder() async throws {
      let folder = try PlugInFixtures.folder(with: "latch")
      let level = Signals.constant(1, frames: 4_800_000)
      let file = try SoundFile(sampleRate: 48_000, channels: [level]).write(folder.path("n.wav"))
      let rack = try folder.write(
        "latch.yaml",
        bytes: Array(
          """
          rack: Latch files
          outputs: { out: { channels: 1 } }
          units:
            level: { unit: Player, channels: 1, properties: { file: \(file) } }
            latch: { unit: "lv2:urn:test:latch" }
          connections: [ level -> latch -> out ]
          """.utf8))
      let files = folder.path("data/backline/unit-data/lv2:urn:test:latch")
      try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
      for isSaved in [false, true] {
        try await Rig.run(
          "run", rack,
          wrapper: [
            "LV2_PATH=\(folder.path("lv2"))", "XDG_CACHE_HOME=\(folder.path("cache"))",
            "XDG_DATA_HOME=\(folder.path("data"))",
          ]
        ) { rig in
          func ctl(_ words: String...) throws {
            let program = try Program(["ctl", "--rack", "Latch files"] + words)
            #expect(program.waitForEnd() == 0, "\(program.errors)")
          }
          func wait(for level: Float) async throws {
            var heard: ArraySlice<Float> = []
            for _ in 0..<100 where !heard.allSatisfy({ $0 == level }) || heard.isEmpty {
              let played = try await rig.probe.play(
                [Signals.constant(0, frames: 4800)], frames: 4800)
              heard = played.channels[0].suffix(480)
            }
            #expect(heard.allSatisfy { $0 == level })
          }
          try await rig.program.waitForOutput("ready: ")
          try await rig.probe.connect("Latch files:out", "capturer:in_1")
          try await wait(for: isSaved ? 0.5 : 1)
          guard !isSaved else { return }
          try ctl("set", "latch.bypass", "on")
          try await wait(for: 1)
          try await Task.sleep(for: .milliseconds(100))
          try ctl("set", "latch.bypass", "off")
          try await wait(for: 0.5)
          try ctl("save")
        }
        let text = try String(contentsOfFile: rack, encoding: .utf8)
        #expect(text.contains(files) && text.contains("past/disabled"), "\(text)")
      }
    }

    /// The plug-in stays broken after a reset.
    @Test func aPlugInThatStaysBrokenIsMadeAnew() async throws {
      let folder = try PlugInFixtures.folder(with: "latch")
      let noise = Signals.noise(frames: 48_000)
      let file = try SoundFile(sampleRate: 48_000, channels: [noise]).write(folder.path("n.wav"))
      let rack = try folder.write(
        "latch.yaml",
        bytes: Array(
          """
          rack: Latch
          outputs: { out: { channels: 1 } }
          units:
            noise: { unit: Player, channels: 1, properties: { file: \(file) } }
            latch: { unit: "lv2:urn:test:latch" }
          connections: [ noise -> latch -> out ]
          """.utf8))
      try await Rig.run(
        "run", rack,
        wrapper: ["LV2_PATH=\(folder.path("lv2"))", "XDG_CACHE_HOME=\(folder.path("cache"))"]
      ) { rig in
        func ctl(_ words: String...) throws -> String {
          let program = try Program(["ctl", "--rack", "Latch"] + words)
          _ = program.waitForEnd()
          return program.output
        }
        func isHeard() throws -> Bool {
          struct Status: Decodable {
            struct Port: Decodable { var peak: Float }
            var outputs: [Port]
          }
          let status = Data(try ctl("status", "--json").utf8)
          return try JSONDecoder().decode(Status.self, from: status).outputs[0].peak > 0.01
        }
        try await rig.program.waitForOutput("ready: ")
        try await eventually("it is heard") { try isHeard() }
        _ = try ctl("set", "latch.break", "1")
        _ = try ctl("set", "latch.break", "0")
        try await rig.program.waitForOutput("it produced NaN or infinity for a second")
        try await eventually("it is heard again") { try isHeard() }
      }
    }
  }
}
