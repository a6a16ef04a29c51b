import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// Live changes are written into the rack file, and nothing is lost.
  @Suite(.serialized) struct Save {
    private let folder: TemporaryFolder
    private let file: String
    /// The symbolic link to the file.
    private let link: String
    private let text = """
      rack: Level   # as it says on the label
      inputs: { in: }
      outputs: { out: { channels: 1 } }
      units:
        # Loud enough.
        level: { unit: aufx/gain/bkln, parameters: { gain: -6dB } }   # louder
      connections:
        - in -> level -> out

      """

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("racks"), withIntermediateDirectories: true)
      file = try folder.write("racks/level.yaml", bytes: Array(text.utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      link = folder.path("level.yaml")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    }

    private func ctl(_ arguments: String..., expecting status: Int32 = 0) throws -> String {
      let program = try Program(["ctl"] + arguments)
      #expect(program.waitForEnd() == status, "\(arguments): \(program.errors)")
      return status == 0 ? program.output : program.errors
    }

    private func content(_ path: String? = nil) throws -> String {
      try String(contentsOfFile: path ?? file, encoding: .utf8)
    }

    /// A loop is saved with the rack, and restored when the rack plays again.
    @Test(arguments: ["", ", process: own"])
    func aLoopIsSavedWithItsRack(process: String) async throws {
      let rack = try folder.write(
        "loop.yaml",
        bytes: Array(
          """
          rack: Loop
          inputs: { in: { channels: 1 } }
          outputs: { out: { channels: 1 } }
          units: { looper: { unit: Looper, properties: { file: verse.wav }\(process) } }
          connections: [ in -> looper -> out ]
          """.utf8))
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: Loop")
        _ = try ctl("set", "looper.record", "on")
        #expect(try ctl("save", expecting: 1).contains("the data of looper are not saved"))
        try await Task.sleep(for: .milliseconds(100))
        _ = try ctl("set", "looper.stop", "on")
        try await eventually("the loop is closed") {
          try ctl("get", "looper.state") == "Stopped\n"
        }
        #expect(try ctl("save") == "\(rack) is up to date\n")
      }
      let loop = try SoundFile(reading: folder.path("verse.wav"))
      #expect(loop.channels.count == 1 && loop.channels[0].count > 2400)
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: Loop")
        #expect(try ctl("get", "looper.state") == "Stopped\n")
        #expect(try ctl("get", "looper.layers") == "1\n")
      }
    }

    @Test func aRackIsSavedAndItsOwnWritingIsNothingNew() async throws {
      try await Rig.run("run", link, "--watch") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-9", "dB")
        _ = try ctl("add", "room", "Delay", "--into", "level -> out")
        #expect(try ctl("save") == "saved in \(link)\n")
        let saved = text.replacing("-6dB", with: "-9dB")
          .replacing("# louder\n", with: "# louder\n  room: { unit: Delay }\n")
          .replacing("level -> out", with: "level -> room -> out")
        #expect(try content() == saved)
        #expect(try ctl("save") == "\(link) is up to date\n")
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o640)
        let links = try FileManager.default.attributesOfItem(atPath: link)
        #expect(links[.type] as? FileAttributeType == .typeSymbolicLink)

        // Another program's change is kept, and so are live changes made meanwhile.
        _ = try ctl("set", "level.bypass", "on")
        try Data(
          saved.replacing("Loud enough", with: "Quiet").replacing("-9dB", with: "-12 dB").utf8
        )
        .write(to: URL(fileURLWithPath: file))
        try await rig.program.waitForOutput("playing Level")
        #expect(try ctl("get", "level.gain") == "-12 dB\n")
        #expect(!rig.program.output.contains("wrong"))
        for _ in 0..<4 { _ = try ctl("undo") }
        _ = try ctl("save")
        #expect(
          try content()
            == text.replacing("Loud enough", with: "Quiet").replacing("-6dB", with: "-6 dB"))
      }
    }

    @Test func aFileThatHasBeenChangedIsNotWrittenOver() async throws {
      try await Rig.run("run", file, "--no-watch") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-9", "dB")
        let changed = text.replacing("# louder", with: "# softer")
        try Data(changed.utf8).write(to: URL(fileURLWithPath: file))
        #expect(
          try ctl("save", expecting: 1).hasPrefix(
            "error: \(file) has been changed since it was read, and nothing was written"))
        #expect(try content() == changed)

        let copy = folder.path("copy.yaml")
        #expect(try ctl("save", copy) == "saved a copy in \(copy)\n")
        #expect(try content(copy) == text.replacing("-6dB", with: "-9dB"))
        _ = try ctl("set", "level.gain", "-3", "dB")
        _ = try ctl("save", copy)
        try Data("another".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(
          try ctl("save", copy, expecting: 1)
            == "error: \(copy) exists already; --force overwrites it\n")

        #expect(try ctl("save", "--force") == "saved in \(file)\n")
        #expect(try content() == changed.replacing("-6dB", with: "-3dB"))
      }
    }

    @Test func whatPortsAreConnectedToIsRememberedOnRequest() async throws {
      let wished = text.replacing(
        "{ in: }", with: "{ in: { connect: [\"nobody:out\", \"system:capture_1\"] } }")
      try Data(wished.utf8).write(to: URL(fileURLWithPath: file))
      try await Rig.run("run", file, "--no-watch") { rig in
        try await rig.program.waitForOutput("connected Level:in to system:capture_1")
        try rig.probe.connect("Level:out", "system:playback_2")
        try rig.probe.connect("injector:out_1", "Level:in")
        try rig.probe.disconnect("system:capture_1", "Level:in")
        #expect(try ctl("save") == "\(file) is up to date\n")
        _ = try ctl("save", "--connections")
        let saved = wished.replacing("system:capture_1", with: "injector:out_1").replacing(
          "channels: 1", with: "channels: 1, connect: \"system:playback_2\"")
        #expect(try content() == saved)
        // Connections that were saved once stay in the file.
        _ = try ctl("set", "level.bypass", "on")
        _ = try ctl("save")
        #expect(try content().contains("connect: \"system:playback_2\""))
      }
    }

    @Test func withWriteBackTheEndSavesAndNothingIsLost() async throws {
      try await Rig.run("run", file, "--no-watch", "--write-back") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-9", "dB")
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
        #expect(rig.program.errors.contains("saved in \(file)\n"))
      }
      let saved = text.replacing("-6dB", with: "-9dB")
      #expect(try content() == saved)
      try await Rig.run("run", file, "--no-watch", "--write-back") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-12", "dB")
        try Data("rack: Gone\n".utf8).write(to: URL(fileURLWithPath: file))
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
        #expect(rig.program.errors.contains("saved a copy in"), "\(rig.program.errors)")
      }
      #expect(try content() == "rack: Gone\n")
      let copied = text.replacing("-6dB", with: "-12dB")
      #expect(try content(folder.path("racks/level.live.yaml")) == copied)

      // An existing copy of an earlier run is kept.
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      try await Rig.run("run", file, "--no-watch", "--write-back") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-3", "dB")
        try Data("rack: Gone\n".utf8).write(to: URL(fileURLWithPath: file))
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
      }
      #expect(try content(folder.path("racks/level.live.yaml")) == copied)
      #expect(
        try content(folder.path("racks/level.live-2.yaml"))
          == text.replacing("-6dB", with: "-3dB"))
    }

    @Test func lanesOfAnotherFileArePlayedAndStayInTheirs() async throws {
      let moves = try folder.write(
        "moves.yaml", bytes: Array("automation: { level.gain: [-20 dB @ 0 s] }\n".utf8))
      try await Rig.run("run", file, "--automation", moves, "--watch") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-9", "dB")
        #expect(try ctl("save") == "\(file) is up to date\n")
        _ = try ctl("add", "room", "Delay", "--into", "level -> out")
        #expect(try ctl("save") == "saved in \(file)\n")
        let saved = text.replacing("# louder\n", with: "# louder\n  room: { unit: Delay }\n")
          .replacing("level -> out", with: "level -> room -> out")
        #expect(try content() == saved)
        let copy = folder.path("copy.yaml")
        #expect(try ctl("save", copy) == "saved a copy in \(copy)\n")
        #expect(try content(copy) == saved)

        // Changes of both files are noticed.
        try Data(saved.replacing("label", with: "tin").replacing("Delay", with: "Tremolo").utf8)
          .write(to: URL(fileURLWithPath: file))
        try await rig.program.waitForOutput("playing Level")
        #expect(try ctl("get", "room").contains("Tremolo"))
        try Data("automation: { level.gain: [loud @ 0 s] }\n".utf8)
          .write(to: URL(fileURLWithPath: moves))
        try await rig.program.waitForOutput("moves.yaml:1:28: error")
      }
    }

    /// The songs without errors play.
    @Test func aSongThatIsMissingKeepsTheOthersFromNothing() async throws {
      let list = try folder.write(
        "racks/show.yaml",
        bytes: Array(
          "setlist: Show\nsongs: { Gone: { rack: none.yaml }, Here: { rack: level.yaml } }".utf8))
      try await Rig.run("run", list, "--write-back") { rig in
        try await rig.program.waitForOutput("ready: Level")
        _ = try ctl("set", "level.gain", "-9", "dB")
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
      }
      #expect(try content() == text.replacing("-6dB", with: "-9dB"))
    }

    @Test func aPlayedUnitIsSavedAsARack() async throws {
      try await Rig.run("play", "Delay") { rig in
        try await rig.program.waitForOutput("ready: Delay")
        _ = try ctl("set", "unit.mix", "12", "%")
        let copy = folder.path("played.yaml")
        _ = try ctl("save", copy)
        #expect(try content(copy).contains("mix: 12 %"))
        let check = try Program(["check", copy])
        #expect(check.waitForEnd() == 0, "\(check.output)")
      }
    }

    @Test func racksThatComeWithBacklineStayAsTheyAre() async throws {
      let refused = try Program(["run", "tape-echo", "--write-back"])
      #expect(refused.waitForEnd() == 64)
      #expect(refused.errors.contains("tape-echo comes with Backline and stays as it is"))
      let shipped = Program.racks.appendingPathComponent("tape-echo.yaml").path
      let before = try content(shipped)
      try await Rig.run("run", "tape-echo") { rig in
        try await rig.program.waitForOutput("ready: Tape echo")
        // There is nothing to write, so a session manager that saves everything gets no error.
        #expect(try ctl("save").hasSuffix("tape-echo.yaml is up to date\n"))
        _ = try ctl("set", "echo.mix", "12", "%")
        #expect(
          try ctl("save", expecting: 1).hasSuffix("save a copy: backline ctl save tape-echo.yaml\n")
        )
        let copy = folder.path("mine.yaml")
        _ = try ctl("save", copy)
        #expect(try content(copy).contains("mix: 12 %"))
        let check = try Program(["check", copy])
        #expect(check.waitForEnd() == 0, "\(check.output)")
      }
      #expect(try content(shipped) == before)
    }
  }
}
