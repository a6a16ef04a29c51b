import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// A unit whose process has ended too often.
  @Suite(.serialized) struct GivenUpUnits {
    private func run(_ arguments: String..., expecting status: Int32 = 0) throws -> String {
      let program = try Program(arguments)
      #expect(program.waitForEnd() == status, "\(arguments): \(program.errors)")
      return program.output + program.errors
    }

    /// Whether a command's output contains a text soon.
    private func shows(_ text: String, _ arguments: String...) async throws -> Bool {
      for _ in 0..<600 {
        let program = try Program(arguments)
        _ = program.waitForEnd()
        if program.output.contains(text) { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }

    private func killUnit(of program: Program) async throws {
      var processes: Set<Int> = []
      while processes.isEmpty, program.isRunning {
        processes = ProcessTable.children(of: program.processIdentifier, named: "backline-unit")
          .filter { ProcessTable.runs($0) }
        try await Task.sleep(for: .milliseconds(10))
      }
      for process in processes { kill(pid_t(process), SIGKILL) }
    }

    @Test func isShownAsSuchUntilItIsRestarted() async throws {
      let folder = try TemporaryFolder()
      let rack = try folder.write(
        "rack.yaml",
        bytes: Array(
          """
          rack: Frail
          inputs: { in: { channels: 1 } }
          outputs: { out: { channels: 1 } }
          units: { amp: { unit: aufx/gain/bkln, process: own } }
          processes: { restarts: 0 }
          connections: [ in -> amp -> out ]
          """.utf8))
      try await Rig.run("run", rack, "--no-watch") { rig in
        _ = try await shows("amp", "top", "--once")
        for revival in [["ctl", "restart", "amp"], ["ctl", "reload"]] {
          try await killUnit(of: rig.program)
          #expect(try await shows("amp (given up)", "top", "--once"))
          #expect(try run("ctl", "status").contains("given up"))
          #expect(
            try run("ctl", "metrics").contains("unit_given_up{client=\"Frail\",unit=\"amp\"} 1"))
          let program = try Program(revival)
          #expect(program.waitForEnd() == 0, "\(program.errors)")
          #expect(
            try await shows("unit_given_up{client=\"Frail\",unit=\"amp\"} 0", "ctl", "metrics"))
        }
        #expect(!rig.program.output.isEmpty)
        #expect(try run("ctl", "restart", "amb", expecting: 1).contains("amb"))
      }
    }
  }
}
