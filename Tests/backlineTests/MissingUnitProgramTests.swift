import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// A unit that is missing when the rack starts to play.
  @Suite(.serialized) struct MissingUnits {
    /// Plays a constant until the rack's output is `level`.
    private func hear(_ rig: Rig, level: Float) async throws {
      for _ in 0..<400 {
        let heard = try await rig.probe.play([Signals.constant(0.5, frames: 4800)], frames: 4800)
        if heard.channels[0].suffix(2400).allSatisfy({ abs($0 - level) < 1e-4 }) { return }
      }
      Issue.record("\(level) was not heard: \(rig.program.output)")
    }

    private func run(_ arguments: String..., expecting status: Int32 = 0) throws -> String {
      let program = try Program(arguments)
      #expect(program.waitForEnd() == status, "\(arguments): \(program.errors)")
      return program.output + program.errors
    }

    @Test func soundPassesByUntilItComes() async throws {
      let folder = try TemporaryFolder()
      let text = """
        rack: Level
        inputs: { in: { channels: 1, connect: "injector:out_1" } }
        outputs: { out: { channels: 1, connect: "capturer:in_1" } }
        units:
          half: { unit: aufx/tmpl/Demo, parameters: { level: 50 % } }  # on its way
        connections: [ in -> half -> out ]

        """
      let rack = try folder.write("level.yaml", bytes: Array(text.utf8))
      let units = folder.path("units")
      // The bundle is built elsewhere, and moved to its folder in one step.
      _ = try TestBundle(in: folder.path("elsewhere"))
      #expect(try run("check", rack, expecting: 2).contains("level.yaml:5:17: error"))
      try await Rig.run("run", rack, "--no-watch") { rig in
        _ = try rig.probe
        try await rig.program.waitForOutput("connected Level:out to capturer:in_1")
        try await rig.program.waitForOutput("connected Level:in to injector:out_1")
        #expect(rig.program.errors.contains("level.yaml:5:17: warning: there is no unit"))
        try await hear(rig, level: 0.5)
        #expect(try run("top", "--once").contains("half  MISSING: aufx/tmpl/Demo"))
        #expect(try run("ctl", "status").contains("MISSING: aufx/tmpl/Demo"))
        #expect(try run("ctl", "get").contains("half   MISSING: "))
        #expect(try run("show", rack).contains("half  MISSING"))
        #expect(
          try run("ctl", "set", "half.level", "20 %", expecting: 1).contains("“half” is missing"))
        let lanes = try folder.write(
          "lanes.yaml", bytes: Array("automation: { half.level: [10 % @ 0 s] }".utf8))
        #expect(try run("ctl", "automate", "load", lanes).hasPrefix("automation loaded from"))
        #expect(try run("ctl", "undo").contains("undone"))
        #expect(try run("ctl", "save").contains("is up to date"))
        #expect(try run("ctl", "rename", "half", "part").contains("half renamed to part"))
        #expect(try run("ctl", "undo").contains("undone"))

        try FileManager.default.moveItem(atPath: folder.path("elsewhere"), toPath: units)
        try await rig.program.waitForOutput("Template is available now: half plays")
        try await hear(rig, level: 0.25)
        #expect(try run("ctl", "get", "half.level") == "50 %\n")
        #expect(!(try run("top", "--once")).contains("MISSING"))

        let other = try folder.write(
          "other.yaml",
          bytes: Array(text.replacing("Demo", with: "Gone").replacing("Level", with: "Other").utf8))
        #expect(try run("ctl", "load", other).contains("Other loaded"))
        #expect(try run("ctl", "log").contains("other.yaml:5:17: there is no unit"))
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
      }
      #expect(try String(contentsOfFile: rack, encoding: .utf8) == text)
    }
  }
}
