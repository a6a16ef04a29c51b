import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// backline run.
  @Suite(.serialized) struct RunCommand {
    private let folder: TemporaryFolder
    private let rack: String

    init() throws {
      folder = try TemporaryFolder()
      rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
    }

    @Test func withoutAServerItEndsAndNamesTheWayOut() throws {
      let result = try Program.run("run", "drum-crusher", "--server-name", "backline-none")
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains("--server auto|alsa|dummy"))
    }

    @Test func aWrongRackEndsWith2BeforeAnyServer() throws {
      let wrong = try folder.write("wrong.yaml", bytes: Array("rack: [".utf8))
      let result = try Program.run("run", wrong)
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(result.errors.contains("wrong.yaml:2:1: error: not YAML"))
      let list = try Program.run("run", "evning")
      #expect(list.status == 2 && list.errors.contains("; set lists: evening"))
      #expect(list.errors.hasSuffix("; did you mean “evening”?\n"))
      let render = try Program.run("render", "evening", "--out", "main=none.wav")
      #expect(render.status == 2)
      #expect(
        render.errors
          == "evening:1:1: error: this is a set list, not a rack; play it with: backline run evening\n"
      )
      let logged = try Program.run("run", wrong, "--log", "json")
      let line = try JSONSerialization.jsonObject(with: Data(logged.errors.utf8))
      let finding = try #require(line as? [String: Any])
      #expect(finding["event"] as? String == "diagnostic" && finding["line"] as? Int == 2)
      #expect(finding["level"] as? String == "error")
    }

    @Test func aSongControlWithoutASetListIsWarnedOf() async throws {
      let text = try String(contentsOfFile: rack, encoding: .utf8)
        .replacing("inputs: {", with: "inputs: { feet: { midi: true },")
      _ = try folder.write(
        "level.yaml",
        bytes: Array("\(text)\ncontrols: [ { from: feet cc 1, to: next song } ]\n".utf8))
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        let warning = "level.yaml:6:36: warning: “next song” needs a set list"
        #expect(rig.program.errors.contains(warning), "\(rig.program.errors)")
      }
    }

    @Test(.timeLimit(.minutes(5))) func aStopWhileTheServerDoesNotReturnEndsIt() async throws {
      try await Rig.run("run", rack, "--write-back", "--record", folder.path("a.wav")) { rig in
        try await rig.program.waitForOutput("ready: ")
        rig.server.kill()
        try await rig.program.waitForOutput("waiting for it to come back")
        let tempo = try Program.run("ctl", "tempo", "97.5")
        #expect(tempo.status == 0 && tempo.output == "tempo 97.5 bpm\n", "\(tempo)")
        #expect(try Program.run("ctl", "tempo").output == "tempo 97.5 bpm\n")
        #expect(try Program.run("ctl", "play").errors == "error: the JACK server is away\n")
        #expect(try Program.run("ctl", "set", "level.gain", "-9 dB").status == 0)
        rig.program.send(SIGINT)
        #expect(rig.program.waitForEnd() == 0)
        let saved = try String(contentsOfFile: rack, encoding: .utf8)
        #expect(saved.contains("gain: -9 dB") && saved.contains("tempo: 97.5"), "\(saved)")
        try rig.server.clearAwayRemains()
      }
    }

    @Test(.timeLimit(.minutes(5))) func aStopNeedsNoServer() async throws {
      try await Rig.run("run", rack, timeout: 500) { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out")
        rig.server.pause()
        defer { rig.server.resume() }
        rig.program.send(SIGUSR1)
        try await Task.sleep(for: .milliseconds(100))
        rig.program.send(SIGINT)
        #expect(rig.program.waitForEnd() == 0)
        #expect(rig.program.output.contains("stands still"))
      }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGQUIT])
    func aSignalFadesOutAndEndsWith0(signal: Int32) async throws {
      try await Rig.run("run", rack) { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        let tone = Signals.sine(frequency: 100, amplitude: 0.5, frames: 96_000)
        let heard = try await rig.probe.play([tone], frames: 96_000, after: 19_200) {
          [program = rig.program] in
          program.send(signal)
        }.channels[0]
        #expect(rig.program.waitForEnd() == 0)
        #expect(heard[..<4800].contains { $0 > 0.49 })
        #expect(!heard[90_000...].contains { $0 != 0 })
        // The largest step of the tone, plus that of a fade of 10 ms or more.
        let bound = Float(0.5 * (2 * Double.pi * 100 / 48_000 + 1.0 / 480))
        #expect(Signals.largestStep(heard) < bound)
        let lines = rig.program.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("ready: ") }.count == 1)
        #expect(
          lines.contains("ready: Level as JACK client \"Level\", 48000 Hz, 256 frames"))
        #expect(!rig.program.output.contains("\u{1B}"))
        #expect(rig.program.errors.isEmpty, "\(rig.program.errors)")
      }
    }

    /// Plays a constant until the rack's output is `level`.
    private func hear(_ rig: Rig, level: Float) async throws {
      for _ in 0..<400 {
        let heard = try await rig.probe.play([Signals.constant(0.5, frames: 4800)], frames: 4800)
        if heard.channels[0].suffix(2400).allSatisfy({ abs($0 - level) < 1e-4 }) { return }
      }
      Issue.record("\(level) was not heard")
    }

    @Test func aSignalReadsTheRackAgain() async throws {
      try await Rig.run("run", rack) { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        try await hear(rig, level: 0.5)
        _ = try LivePrograms.writeGain(-20, to: "level.yaml", in: folder)
        rig.program.send(SIGUSR1)
        try await hear(rig, level: 0.05)

        _ = try folder.write("level.yaml", bytes: Array("rack: Level\nunits: { a: {} }\n".utf8))
        rig.program.send(SIGUSR1)
        try await rig.program.waitForOutput("what was playing goes on")
        #expect(rig.program.output.contains("level.yaml:2:"))
        try await hear(rig, level: 0.05)

        _ = try LivePrograms.writeGain(-6, to: "level.yaml", in: folder)
        rig.program.send(SIGUSR1)
        try await hear(rig, level: 0.5 * Float(pow(10, -0.3)))
        rig.program.send(SIGINT)
        #expect(rig.program.waitForEnd() == 0)
        let lines = rig.program.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("ready: ") }.count == 1)
        #expect(lines.filter { $0 == "playing Level" }.count == 2)
      }
    }

    /// A hang-up comes from a terminal that closes or, without a terminal, as the signal that tells
    /// services to read their files again.
    @Test func aHangUpEndsItOnATerminalAndElseReadsTheRackAgain() async throws {
      func program(below process: Int) -> Int? {
        ProcessTable.children(of: process, named: "backline").first
          ?? ["sh", "bash", "dash"].flatMap { ProcessTable.children(of: process, named: $0) }
          .compactMap(program).first
      }
      try await Rig.run("run", rack, wrapper: ["setsid", "--fork", "--wait"]) { rig in
        try await rig.program.waitForOutput("ready: Level")
        let process = try #require(program(below: rig.program.processIdentifier))
        kill(pid_t(process), SIGHUP)
        try await rig.program.waitForOutput("playing Level")
        kill(pid_t(process), SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
      }
      let terminal = ["sh", "-c", "exec script --quiet --return --command \"$*\" /dev/null", "sh"]
      try await Rig.run("run", rack, wrapper: terminal) { rig in
        try await rig.program.waitForOutput("Ctrl-C to stop")
        let process = try #require(program(below: rig.program.processIdentifier))
        kill(pid_t(process), SIGHUP)
        #expect(try await ProcessTable.loses(process))
        #expect(rig.program.waitForEnd() == 0)
      }
    }

    /// A saved file is heard; values whose text is unchanged keep their present state.
    @Test func aSavedRackFileIsFollowed() async throws {
      func write(_ level: Int, _ comment: String) throws {
        let text = """
          \(comment)
          rack: Level
          inputs: { in: { channels: 1, connect: "injector:out_1" } }
          outputs: { out: { channels: 1, connect: "capturer:in_1" } }
          units:
            level: { unit: aufx/gain/bkln, parameters: { gain: \(level) dB } }
            other: { unit: aufx/gain/bkln }
          connections: [ in -> level -> other -> out ]

          """
        _ = try folder.write("level.yaml", bytes: Array(text.utf8))
      }
      try write(0, "#")
      try await Rig.run("run", rack, "--watch") { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        try await hear(rig, level: 0.5)
        let set = try Program.run("ctl", "set", "other.gain", "-6 dB", "--rack", "Level")
        #expect(set.status == 0, "\(set.errors)")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.3)))
        try write(-20, "# Everything stands a line\n# lower now.")
        try await hear(rig, level: 0.05 * Float(pow(10, -0.3)))
        _ = try folder.write("level.yaml", bytes: Array("rack: Level\nunits: { a:".utf8))
        try await rig.program.waitForOutput("what was playing goes on")
        try await hear(rig, level: 0.05 * Float(pow(10, -0.3)))
        try write(0, "#")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.3)))
        // The file is removed for a while, and written again.
        try FileManager.default.removeItem(atPath: rack)
        try await hear(rig, level: 0.5 * Float(pow(10, -0.3)))
        try write(-20, "#")
        try await hear(rig, level: 0.05 * Float(pow(10, -0.3)))
        rig.program.send(SIGINT)
        #expect(rig.program.waitForEnd() == 0)
      }
    }

    /// The file has the name of a shipped rack, which must not replace it.
    @Test func aRackFileThatIsGoneIsSaidAndPlaysOn() async throws {
      _ = try LivePrograms.writeGain(0, to: "tape-echo.yaml", in: folder)
      let wrapper = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.url.path]
      try await Rig.run("run", "tape-echo.yaml", wrapper: wrapper) { rig in
        try await rig.program.waitForOutput("ready: Level")
        try FileManager.default.removeItem(atPath: folder.path("tape-echo.yaml"))
        rig.program.send(SIGUSR1)
        try await rig.program.waitForOutput("what was playing goes on")
        #expect(rig.program.output.contains("tape-echo.yaml:1:1: error: cannot be read"))
      }
    }

    /// A killed client holds a lock of the metadata database: libjack never returns from setting a
    /// property.
    @Test(.disabled(if: isSanitized, "a sanitizer wants to be loaded first"))
    func aLockedMetadataDatabaseStopsNothing() async throws {
      let library = try folder.compile(
        "#include <unistd.h>\nvoid jack_uuid_unparse(void) { for (;;) pause(); }")
      try await Rig.run("run", rack, wrapper: ["LD_PRELOAD=\(library)"]) { rig in
        try await rig.program.waitForOutput("ready: ")
        try await rig.program.waitForOutput("metadata database does not answer")
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
      }
    }

    @Test func aServerThatStandsStillCanBeLeft() async throws {
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      let name = "backline-own"
      let server = try Program(["run", rack, "--server", "dummy", "--server-name", name])
      do {
        try await server.waitForOutput("ready: ")
        let program = try Program(["run", rack, "--server-name", name])
        defer { program.send(SIGKILL) }
        try await program.waitForOutput("ready: ")
        server.send(SIGSTOP)
        program.send(SIGINT)
        try await program.waitForErrors("again to leave at once")
        program.send(SIGINT)
        #expect(program.waitForEnd() == 130)
      } catch {
        Issue.record(error)
      }
      server.send(SIGCONT)
      server.send(SIGTERM)
      #expect(server.waitForEnd() == 0)
    }

    @Test(arguments: [false, true]) func aServerThatEndsEndsItWith3WhereAskedTo(
      killed: Bool
    ) async throws {
      try await Rig.run("run", rack, "--end-with-server") { rig in
        try await rig.program.waitForOutput("ready: ")
        if killed { rig.server.kill() } else { rig.server.stop() }
        #expect(rig.program.waitForEnd() == 3)
        #expect(rig.program.errors.contains("error: the JACK server ended"))
        #expect(!rig.program.output.contains("the JACK server ended"))
        if killed { try rig.server.clearAwayRemains() }
      }
    }

    @Test func itWaitsForTheServerAndPlaysOn() async throws {
      try await Rig.run("run", rack) { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        for (turn, level) in [-20, -6, -12].enumerated() {
          rig.server.kill()
          try await rig.program.waitForOutput("waiting for it to come back", times: turn + 1)
          rig.closeProbe()
          _ = try LivePrograms.writeGain(level, to: "level.yaml", in: folder)
          rig.program.send(SIGUSR1)
          try await rig.program.waitForOutput(
            "Level plays once the JACK server is back", times: turn + 1)
          try rig.server.startAgain(period: 128, rate: 44_100)
          try await rig.program.waitForOutput(
            "the JACK server is back, 44100 Hz, 128 frames; playing on", times: turn + 1)
          _ = try rig.probe
          try await rig.program.waitForOutput(
            "connected Level:out to capturer:in_1", times: turn + 2)
          try await hear(rig, level: 0.5 * Float(pow(10, Double(level) / 20)))
        }
        #expect(rig.program.errors.isEmpty, "\(rig.program.errors)")
      }
    }

    @Test func whileItWaitsAWrongRackIsSaidAndAStopEndsIt() async throws {
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        rig.server.kill()
        try await rig.program.waitForOutput("waiting for it to come back")
        _ = try folder.write("level.yaml", bytes: Array("rack: Level\nunits: { a: {} }\n".utf8))
        rig.program.send(SIGUSR1)
        try await rig.program.waitForOutput("what was playing goes on")
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
        #expect(rig.program.errors.isEmpty, "\(rig.program.errors)")
        try rig.server.clearAwayRemains()
      }
    }

    @Test func aTakenNameIsResolvedAndSaid() async throws {
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        let second = try Program([
          "run", rack, "--server", "auto", "--server-name", rig.server.name, "--rate", "44100",
          "--period", "256", "--device", "hw:9",
        ])
        try await second.waitForOutput("ready: Level as JACK client \"Level-01\"")
        #expect(second.output.contains("is taken"))
        try await second.waitForOutput(
          "the running server decides: 48000 Hz, 256 frames; --rate and --device")
        #expect(!second.output.contains("--period"))
        second.send(SIGINT)
        #expect(second.waitForEnd() == 0)
      }
    }

    @Test func aServerOfItsOwnPlaysTheShippedRack() async throws {
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      let name = "backline-own"
      let program = try Program([
        "run", "drum-crusher", "--server", "dummy", "--server-name", name, "--period", "256",
        "--rate", "44100",
      ])
      do {
        try await program.waitForOutput(
          "ready: Drum crusher as JACK client \"Drum crusher\", 44100 Hz, 256 frames")
        try await program.waitForOutput("connected Drum crusher:main_2 to system:playback_2")
        #expect(program.output.contains("started JACK server \"\(name)\" without sound"))
        let ports = JackTestServer.run(["jack_lsp", "-c"], server: name)
        #expect(ports.contains("Drum crusher:main_1\n   system:playback_1"))
      } catch {
        Issue.record(error)
      }
      program.send(SIGTERM)
      #expect(program.waitForEnd() == 0)
    }

    /// The program has the permissions of a user who is not in the group audio.
    @Test(.enabled(if: getuid() == 0, "only root can give the permission up"))
    func withoutRealTimePermissionItSaysSoOnceAndPlays() async throws {
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      let program = try Program(
        ["run", "drum-crusher", "--server", "dummy", "--server-name", "backline-own"],
        wrapper: [
          "setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", "prlimit", "--rtprio=0",
        ])
      do {
        try await program.waitForOutput("connected Drum crusher:main_2 to system:playback_2")
      } catch {
        Issue.record(error)
      }
      program.send(SIGINT)
      #expect(program.waitForEnd() == 0)
      let cures = program.output.split(separator: "\n").filter {
        $0.contains("no permission to run in real time") && $0.contains("group audio")
      }
      #expect(cures.count == 1)
    }
  }
}
