import BacklineTestSupport
import Foundation
import Testing

@testable import RackControl
@testable import RackEngine
@testable import RackSession

extension LivePrograms {
  /// `backline ctl` and `backline top` with a rack that plays.
  @Suite(.serialized) struct CtlCommand {
    private let folder: TemporaryFolder
    private let rack: String

    init() throws {
      folder = try TemporaryFolder()
      rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
    }

    private func ctl(_ arguments: String...) throws -> String { try ctl(arguments) }

    private func ctl(_ arguments: [String]) throws -> String {
      let program = try Program(["ctl"] + arguments)
      let status = program.waitForEnd()
      #expect(status == 0, "\(arguments): \(program.errors)")
      return program.output
    }

    private func refused(_ arguments: String...) throws -> String {
      let program = try Program(["ctl"] + arguments)
      #expect(program.waitForEnd() == 1 && program.output.isEmpty)
      return program.errors
    }

    @Test func withoutARackItNamesTheWay() throws {
      let list = try Program.run("ctl", "list")
      #expect(list.output.isEmpty)
      #expect(list.errors == "no rack is running; start one with: backline run RACK\n")
      #expect(
        try refused("undo") == "error: no rack is running; start one with: backline run RACK\n")
    }

    @Test func aMistypedCommandIsAnswered() throws {
      let wrong = try Program.run("ctl", "nxet")
      #expect(wrong.status == 64)
      #expect(wrong.errors == "error: “ctl” has no command “nxet”; did you mean “next”?\n")
      let deeper = try Program.run("ctl", "record", "strat")
      #expect(
        deeper.errors
          == "error: “action” must be start or stop or toggle, not “strat”; did you mean “start”?\n"
      )
      // The shell leaves this part of “connect a -> b”.
      let cut = try Program.run("ctl", "connect", "a", "-")
      #expect(cut.status == 1 && cut.errors.contains(#"write connect "a -> UNIT" with quotes"#))
      let option = try Program.run("ctl", "get", "--racks", "Level")
      #expect(option.status == 64 && option.errors.hasPrefix("error: Unknown option '--racks'"))
      let help = try Program.run("ctl", "ramp", "--help")
      #expect(help.output.contains("--over <over>") && help.output.contains("OVERVIEW: Move a"))
    }

    @Test func aRackIsChangedHeardAndUndone() async throws {
      try await Rig.run("run", rack) { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        #expect(try ctl("list") == "Level\n")
        #expect(try ctl("set", "level.gain", "-20", "dB") == "level: Gain -20 dB\n")
        #expect(try ctl("get", "level.gain") == "-20 dB\n")
        try await hear(rig, level: 0.05)
        #expect(try ctl("set", "level.gain", "--", "-21 dB") == "level: Gain -21 dB\n")
        #expect(try ctl("reset", "level.gain") == "level: Gain 0 dB, the default\n")
        #expect(
          try ctl("ramp", "level.gain", "-6 dB", "--over", "10ms")
            == "level: Gain -6 dB over 10ms\n")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.3)))
        for words in [["-6", "dB", "--over", "10", "ms"], ["--over", "10", "ms", "-6", "dB"]] {
          let done = try ctl(["ramp", "level.gain"] + words)
          #expect(done == "level: Gain -6 dB over 10 ms\n")
        }
        #expect(
          try ctl("add", "tone", "Low-Pass Filter", "--into", "in -> level")
            == "Low-Pass Filter added as tone after in\n")
        #expect(try ctl("preset", "tone", "Under Water") == "preset Under Water loaded into tone\n")
        #expect(try ctl("get").contains("tone   Low-Pass Filter, preset Under Water\n"))
        #expect(try Program.run("ctl", "scenes").errors == "the rack has no scenes\n")
        #expect(try Program.run("ctl", "controls").errors == "the rack has no MIDI controls\n")
        #expect(try Program.run("ctl", "songs").errors == "no set list is running\n")
        #expect(try ctl("connect", "in", "level") == "in → level connected\n")
        #expect(try ctl("disconnect", "in -> level") == "in → level disconnected\n")
        #expect(try ctl("replace", "tone", "Gain") == "tone replaced by Gain\n")
        #expect(try ctl("rename", "tone", "boost") == "tone renamed to boost\n")
        #expect(try ctl("get", "boost.gain") == "0 dB\n")
        #expect(try ctl("remove", "boost") == "boost removed\n")
        #expect(try ctl("--rack", "Level", "undo") == "undone: boost removed\n")
        #expect(try ctl("redo") == "redone: boost removed\n")
        for _ in 0..<10 { _ = try ctl("undo") }
        #expect(try refused("undo") == "error: there is nothing to undo\n")
        try await hear(rig, level: 0.5)
        #expect(try refused("set", "levl.gain", "1").contains("did you mean “level.gain”?"))
        let loud = try LivePrograms.writeGain(-12, to: "loud.yaml", in: folder)
        #expect(try ctl("load", loud) == "Level loaded\n")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.6)))
        #expect(try refused("load", folder.path("none.yaml")).contains("none.yaml"))
        _ = try LivePrograms.writeGain(-18, to: "loud.yaml", in: folder)
        #expect(try ctl("reload") == "Level read again\n")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.9)))
        #expect(try ctl("undo") == "undone: Level read again\n")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.6)))
      }
    }

    @Test func aSetListGoesOnAndIsFollowed() async throws {
      _ = try LivePrograms.writeGain(-12, to: "soft.yaml", in: folder)
      let songs =
        "{ First: { rack: none.yaml }, Second: { rack: level.yaml }, Last: { rack: soft.yaml } }"
      let list = try folder.write(
        "evening.yaml", bytes: Array("setlist: Evening\nsongs: \(songs)".utf8))
      let check = try Program.run("check", list)
      #expect(check.status == 2 && check.output.contains("the rack of “First” cannot be played"))
      #expect(try Program.run("show", list).output.contains("2  Second  Level\n3  Last    Level"))
      try await Rig.run("run", list, "--watch") { rig in
        try await rig.program.waitForOutput("ready: Level as JACK client \"Evening\"")
        try await rig.program.waitForOutput("song Second")
        #expect(rig.program.errors.contains("the rack of “First” cannot be played"))
        #expect(try ctl("songs") == "   First\n-> Second\n   Last\n")
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Evening:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Evening:in to injector:out_1")
        try await hear(rig, level: 0.5)
        #expect(try ctl("next") == "song Last\n")
        try await hear(rig, level: 0.5 * Float(pow(10, -0.6)))
        #expect(try refused("next") == "error: “Last” is the last song\n")
        _ = try LivePrograms.writeGain(-18, to: "soft.yaml", in: folder)
        try await hear(rig, level: 0.5 * Float(pow(10, -0.9)))
        #expect(try refused("song", "First").contains("none.yaml"))
        #expect(try ctl("songs") == " ! First\n   Second\n-> Last\n")
        #expect(try ctl("status").contains("song Last\n"))
        #expect(try ctl("song", "2") == "song Second\n")
        try await hear(rig, level: 0.5)
      }
    }

    private func hear(_ rig: Rig, level: Float) async throws {
      for _ in 0..<400 {
        let heard = try await rig.probe.play([Signals.constant(0.5, frames: 4800)], frames: 4800)
        if heard.channels[0].suffix(2400).allSatisfy({ abs($0 - level) < 1e-4 }) { return }
      }
      Issue.record("\(level) was not heard")
    }

    @Test func whatGoesOnIsShown() async throws {
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        let watch = try Program(["ctl", "watch"])
        defer { watch.send(SIGKILL) }
        // Until it listens.
        var turn = 0
        try await eventually("a change is shown") {
          try #require(watch.isRunning, "\(watch.errors)")
          turn += 1
          _ = try ctl("set", "level.gain", "-\(1 + turn % 20) dB")
          return watch.output.contains("level.gain  ")
        }
        #expect(try ctl("status").contains("Level   48000 Hz, 256 frames (5.3 ms)\n"))
        #expect(try ctl("status", "--json").contains("\"bufferSize\" : 256"))
        #expect(try ctl("meters", "--once").hasPrefix("in -inf   out -inf   level -inf"))
        let top = try Program.run("top", "--once")
        let lines = top.output.split(separator: "\n")
        #expect(top.status == 0 && lines[0].hasPrefix("Level   cycle 5333.3 µs"))
        // The output of a busy machine has xruns between these lines.
        let titles = ["unit", "share", "mean", "p50", "p99", "max"]
        let head = try #require(
          lines.firstIndex { $0.split(separator: " ").map(String.init) == titles })
        #expect(lines.count == head + 2 && lines.last?.hasPrefix("level  ") == true)
        #expect(try ctl("tempo", "97.5", "bpm") == "tempo 97.5 bpm\n")
        #expect(try ctl("locate", "1:30") == "the transport is at 90 s\n")
        try await eventually("it is there") {
          try ctl("status").contains("97.5 bpm   transport stopped at 1:30\n")
        }
        #expect(try ctl("tempo") == "tempo 97.5 bpm\n")
        #expect(try ctl("locate", "0", "s") == "the transport is at 0 s\n")
        let words = try Program.run(
          "---completion", "ctl", "set", "--", "positional@0", "3", "0", "backline", "ctl", "set",
          "")
        #expect(words.output.contains("level.gain"), "\(words)")
      }
    }

    /// The test plays the rack's part.
    @Test func whatOthersLearnIsNotTakenForItsOwn() throws {
      let path = Program.runtimeFolder + "/backline/Learning.sock"
      let listener = try ControlSocket.listen(at: path)
      defer {
        unlink(path)
        close(listener)
      }
      let learn = try Program(["ctl", "learn", "a.gain", "--rack", "Learning"])
      // The first connection checks whether the rack answers.
      close(accept(listener, nil, nil))
      let peer = accept(listener, nil, nil)
      defer { close(peer) }
      let lines = [
        #"{"client":"Learning","rack":"Learning","version":1}"#,
        #"{"result":{"done":"subscribed"}}"#, #"{"result":{"done":"learn a.gain"}}"#,
        #"{"event":"learning","learning":{"to":"b.gain","done":"b.gain follows keys cc 1"}}"#,
        #"{"event":"learning","learning":{"to":"a.gain","done":"a.gain follows keys cc 2"}}"#,
      ]
      let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
      #expect(send(peer, bytes, bytes.count, 0) == bytes.count)
      #expect(learn.waitForEnd() == 0)
      #expect(learn.output == "learn a.gain\na.gain follows keys cc 2\n")
    }

    /// A rack that accepts nobody, like a suspended one: its backlog fills up.
    @Test func aRackThatAnswersNobodyKeepsNobodyFromTheOthers() async throws {
      let path = Program.runtimeFolder + "/backline/Silent.sock"
      let listener = try ControlSocket.listen(at: path)
      var waiting: [Int32] = []
      defer {
        unlink(path)
        for descriptor in waiting + [listener] { close(descriptor) }
      }
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        let silent = try Program(["ctl", "undo", "--rack", "Silent"])
        while let descriptor = try? ControlSocket.connect(to: path, within: 1) {
          waiting.append(descriptor)
        }
        #expect(try ctl("list") == "Level\nSilent\n")
        #expect(try ctl("get", "--rack", "Level", "level.gain") == "0 dB\n")
        #expect(silent.waitForEnd() == 1 && silent.errors.contains("does not answer"))
      }
    }

    @Test func oneOfSeveralIsChosen() async throws {
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        let second = try Program(["run", rack, "--server-name", rig.server.name])
        try await second.waitForOutput("ready: ")
        #expect(try ctl("list") == "Level\nLevel-01\n")
        #expect(
          try refused("undo")
            == "error: several racks are running: Level, Level-01; choose one with --rack\n")
        _ = try ctl("set", "level.gain", "-3 dB", "--rack", "Level-01")
        #expect(try ctl("get", "--rack", "Level", "level.gain") == "0 dB\n")
        #expect(try refused("undo", "--rack", "Levl").contains("did you mean “Level”?"))
        second.send(SIGINT)
        #expect(second.waitForEnd() == 0)
        #expect(try ctl("list") == "Level\n")
      }
    }
  }
}
