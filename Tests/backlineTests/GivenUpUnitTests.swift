import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// A unit whose process has ended too often, so that it is bypassed.
  @Suite(.serialized) struct GivenUpUnits {
    private func run(_ arguments: String..., expecting status: Int32 = 0) throws -> String {
      let program = try Program(arguments)
      #expect(program.waitForEnd() == status, "\(arguments): \(program.errors)")
      return program.output + program.errors
    }

    /// Waits until a command's output contains a text.
    private func wait(for text: String, in arguments: String...) async throws {
      try await eventually("\(arguments) print “\(text)”") {
        let program = try Program(arguments)
        _ = program.waitForEnd()
        return program.output.contains(text)
      }
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
        try await wait(for: "amp", in: "top", "--once")
        for revival in [["ctl", "restart", "amp"], ["ctl", "reload"]] {
          try await killUnit(of: rig.program)
          try await wait(for: "amp (given up)", in: "top", "--once")
          #expect(try run("ctl", "status").contains("given up"))
          #expect(
            try run("ctl", "metrics").contains("unit_given_up{client=\"Frail\",unit=\"amp\"} 1"))
          let program = try Program(revival)
          #expect(program.waitForEnd() == 0, "\(program.errors)")
          try await wait(
            for: "unit_given_up{client=\"Frail\",unit=\"amp\"} 0", in: "ctl", "metrics")
        }
        #expect(!rig.program.output.isEmpty)
        #expect(try run("ctl", "restart", "amb", expecting: 1).contains("amb"))
      }
    }
  }
}
