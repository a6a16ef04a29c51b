import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// backline run --record and backline ctl record.
  @Suite(.serialized) struct Recording {
    private let folder: TemporaryFolder
    private let rack: String

    init() throws {
      folder = try TemporaryFolder()
      rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
    }

    private func ctl(_ arguments: String...) throws -> Program.Result {
      let program = try Program(["ctl", "record"] + arguments)
      let status = program.waitForEnd()
      return Program.Result(status: status, output: program.output, errors: program.errors)
    }

    @Test func itStartsStopsAndTellsHowItIs() async throws {
      let path = folder.path("take.wav")
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        #expect(
          try ctl("start", "in", "level", "out_1", "--out", path).errors.contains("“out_1”"))
        let started = try ctl("start", "in", "level", "--out", path)
        #expect(started.output == "recording 2 channels into \(path)\n", "\(started)")
        #expect(try ctl("start", "--out", folder.path("b.wav")).errors.contains("stop that first"))
        // A line about an xrun may stand before the line of the recording.
        var line = ""
        while !line.contains("0:01") {
          let lines = try Program.run("top", "--once").output.split(separator: "\n")
          line = String(try #require(lines.first { $0.hasPrefix("recording take.wav   0:0") }))
        }
        #expect(line.hasSuffix("   2 channels   drop-outs 0"))
        let stopped = try ctl("stop")
        #expect(stopped.output.hasPrefix("recorded ") && stopped.output.hasSuffix(" \(path)\n"))
        #expect(try SoundFile(reading: path).channels[1].count >= 48_000)
        #expect(try ctl("stop").errors == "error: nothing is being recorded\n")
        #expect(
          try ctl("start", "--out", path).errors.contains("a recording replaces none"))
        let again = try Program(["run", rack, "--record", path, "--server-name", rig.server.name])
        try await again.waitForOutput("recording 1 channel into \(folder.path("take-2.wav"))")
        again.send(SIGTERM)
        #expect(again.waitForEnd() == 0)
        #expect(try ctl("start", "--out", folder.path("a.mp3")).errors.contains("one of wav"))
      }
    }

    /// The file of a killed program can be played, except for about the last second.
    @Test func aKilledProgramLeavesItsFile() async throws {
      let path = folder.path("take.wav")
      try await Rig.run("run", rack, "--record", path, timeout: 500) { rig in
        try await rig.program.waitForOutput("ready: ")
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        let noise = Signals.noise(frames: 24_000)
        _ = try await rig.probe.play([noise], frames: noise.count)
        for _ in 0..<4 {
          _ = try await rig.probe.play([Signals.constant(0, frames: 24_000)], frames: 24_000)
        }
        rig.program.send(SIGKILL)
        _ = rig.program.waitForEnd()
        let heard = try SoundFile(reading: path).channels[0]
        let start = try #require(heard.firstIndex(of: noise[0]))
        #expect(heard.count >= start + noise.count + 24_000)
        #expect(firstDifference(heard[start..<start + noise.count], noise[...]) == nil)
      }
    }
  }
}
