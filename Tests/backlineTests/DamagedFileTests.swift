import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Unit files that cannot be read, or that change while the unit plays.
  @Suite(.serialized) struct DamagedFiles {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a rack whose convolver has a gain that its response file determines.
    private func write(_ name: String, response: String, gain: String = "0 dB") throws -> String {
      try folder.write(
        "\(name).yaml",
        bytes: Array(
          """
          rack: \(name)
          inputs: { in: { channels: 1, connect: "injector:out_1" } }
          outputs: { out: { channels: 1, connect: "capturer:in_1" } }
          units:
            room:
              unit: aufx/conv/bkln
              channels: 1
              parameters: { mix: 100 %, normalise: Off }
              properties: { file: \(response) }
            level: { unit: aufx/gain/bkln, channels: 1, parameters: { gain: \(gain) } }
          connections: [ in -> room -> level -> out ]

          """.utf8))
    }

    private func writeResponse(_ name: String, _ level: Float) throws {
      _ = try SoundFile(sampleRate: 48_000, channels: [[level]]).write(folder.path(name))
    }

    private func hear(_ rig: Rig, level: Float) async throws {
      for _ in 0..<400 {
        let heard = try await rig.probe.play([Signals.constant(0.5, frames: 4800)], frames: 4800)
        if heard.channels[0].suffix(2400).allSatisfy({ abs($0 - level) < 1e-3 }) { return }
      }
      Issue.record("\(level) was not heard: \(rig.program.output)")
    }

    private func connect(_ rig: Rig, _ rack: String) async throws {
      _ = try rig.probe
      try await rig.program.waitForOutput("connected \(rack):out to capturer:in_1")
      try await rig.program.waitForOutput("connected \(rack):in to injector:out_1")
    }

    @Test func theRestPlaysAndTheFileIsReadOnceItIsRight() async throws {
      let response = try folder.write("hall.wav", bytes: Array("<html>404</html>".utf8))
      let rack = try write("Hall", response: "hall.wav")
      let place = "Hall.yaml:9:25: warning: cannot open \(response): it is a web page"
      try await Rig.run("run", rack, "--watch") { rig in
        try await connect(rig, "Hall")
        try await rig.program.waitForOutput(
          "\(place); download the file itself; “room” plays without")
        #expect(try Program.run("ctl", "log").output.contains("it is a web page"))
        try writeResponse("new.wav", 0.5)
        _ = rename(folder.path("new.wav"), response)
        try await rig.program.waitForOutput("hall.wav changed and was read again")
        try await hear(rig, level: 0.25)
        // Damage to a file while the rack plays is reported, and inaudible.
        _ = try folder.write("hall.wav", bytes: Array("x".utf8))
        try await rig.program.waitForOutput("what was playing goes on")
        try await hear(rig, level: 0.25)
        #expect(try Program.run("ctl", "set", "level.gain", "6.0206 dB").status == 0)
        try await hear(rig, level: 0.5)
        try writeResponse("hall.wav", 0.25)
        try await hear(rig, level: 0.25)
        // An edit that names a damaged file changes nothing.
        _ = try folder.write("bad.wav", bytes: Array("x".utf8))
        let edit = try Program.run("ctl", "next-file", "room")
        #expect(edit.status == 1 && edit.errors.contains("“bad.wav” is passed by"), "\(edit)")
        try await hear(rig, level: 0.25)
      }
    }

    @Test func aReloadReadsFilesThatHaveChanged() async throws {
      try writeResponse("hall.wav", 0.5)
      let rack = try write("Hall", response: "hall.wav")
      try await Rig.run("run", rack, "--no-watch") { rig in
        try await connect(rig, "Hall")
        try await hear(rig, level: 0.25)
        try writeResponse("hall.wav", 0.25)
        try await hear(rig, level: 0.25)
        #expect(try Program.run("ctl", "reload").status == 0)
        try await hear(rig, level: 0.125)
      }
    }

    @Test func noSongStopsAnother() async throws {
      _ = try folder.write("bad.wav", bytes: Array("x".utf8))
      try writeResponse("good.wav", 0.5)
      _ = try write("One", response: "bad.wav")
      _ = try write("Two", response: "good.wav")
      let list = try folder.write(
        "show.yaml",
        bytes: Array(
          "setlist: Show\nsongs: { First: { rack: One.yaml }, Second: { rack: Two.yaml } }\n".utf8))
      try await Rig.run("run", list) { rig in
        try await rig.program.waitForOutput("ready: ")
        try await rig.program.waitForOutput("One.yaml:9:25: warning: cannot open ")
        #expect(try Program.run("ctl", "next").status == 0)
        try await rig.program.waitForOutput("song Second")
        _ = try rig.probe
        try await hear(rig, level: 0.25)
        #expect(try Program.run("ctl", "previous").status == 0)
      }
    }
  }
}

/// Damaged files before a show, and offline.
struct DamagedFileTests {
  private let folder: TemporaryFolder
  private let rack: String

  init() throws {
    folder = try TemporaryFolder()
    for (name, text) in [
      ("amp.nam", "<!DOCTYPE html><html>not found</html>"), ("room.wav", "a text"),
      ("keys.sf2", "garbage"), ("scale.scl", "! none\nNothing\n"),
    ] {
      _ = try folder.write(name, bytes: Array(text.utf8))
    }
    rack = try folder.write(
      "show.yaml",
      bytes: Array(
        """
        rack: Show
        inputs: { keys: { midi: true } }
        outputs: { main: { channels: 2 } }
        units:
          sampler: { unit: Sampler, properties: { file: keys.sf2 } }
          synth: { unit: Poly Synth, properties: { scale: scale.scl } }
          mix: { unit: Mixer, inputs: 3 }
          amp: { unit: Neural Amp, properties: { file: amp.nam } }
          cab: { unit: Cabinet, properties: { a: room.wav, b: none.wav } }
          track: { unit: Player, properties: { file: room.wav } }
        connections:
          - keys -> sampler -> mix.1
          - keys -> synth -> mix.2
          - track -> mix.3
          - mix -> amp -> cab -> main

        """.utf8))
  }

  @Test func checkOpensEveryFile() throws {
    let list = try folder.write(
      "evening.yaml",
      bytes: Array(
        "setlist: Evening\nsongs: { One: { rack: show.yaml }, Two: { rack: show.yaml } }\n".utf8))
    for name in [rack, list] {
      let result = try Program.run("check", name)
      #expect(result.status == 2)
      let lines = result.output.split(separator: "\n").filter { $0.contains("show.yaml:") }
      for (line, file) in [
        (5, "keys.sf2"), (6, "scale.scl"), (8, "amp.nam"), (9, "room.wav"), (9, "none.wav"),
        (10, "room.wav"),
      ] {
        #expect(
          lines.count { $0.contains("show.yaml:\(line):") && $0.contains(file) } == 1,
          "\(line) \(file): \(result.output)")
      }
      #expect(!result.output.contains("fine"))
    }
  }

  /// `check` opens the files of a rack within a rack.
  @Test func checkOpensFilesOfRacksWithinRacks() throws {
    _ = try folder.write(
      "inner.yaml",
      bytes: Array(
        """
        rack: Inner
        inputs: { in: { channels: 2 } }
        outputs: { out: { channels: 2 } }
        units: { amp: { unit: Neural Amp, properties: { file: amp.nam } } }
        connections: [ in -> amp -> out ]

        """.utf8))
    let outer = try folder.write(
      "outer.yaml",
      bytes: Array(
        """
        rack: Outer
        inputs: { in: { channels: 2 } }
        outputs: { out: { channels: 2 } }
        units: { lead: { unit: ./inner.yaml } }
        connections: [ in -> lead -> out ]

        """.utf8))
    let result = try Program.run("check", outer)
    #expect(result.status == 2 && result.output.contains("inner.yaml:4:55: error: cannot open"))
  }

  @Test func renderRefusesWhatItCannotPlay() throws {
    let player = try folder.write(
      "player.yaml",
      bytes: Array(
        """
        rack: Track
        outputs: { main: { channels: 2 } }
        units: { track: { unit: Player, properties: { file: room.wav } } }
        connections: [ track -> main ]

        """.utf8))
    let result = try Program.run("render", player, "--out", "main=\(folder.path("out.wav"))")
    #expect(result.status == 2)
    #expect(result.errors.contains("player.yaml:3:53: error: cannot open "), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.wav")))
  }
}
