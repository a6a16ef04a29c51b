import BacklineTestSupport
import Foundation
import Testing

/// A killed host leaves nothing behind.
@Suite struct OrphanTests {
  @Test func unitProcessesDieWithTheirHost() async throws {
    let folder = try TemporaryFolder()
    let rack = """
      rack: Long
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        one: { unit: aufx/gain/bkln, process: own }
        two: { unit: aufx/dely/bkln, process: own }
      connections: [ "in -> one -> two -> out" ]
      """
    let path = try folder.write("rack.yaml", bytes: Array(rack.utf8))
    for round in 0..<10 {
      let program = try Program([
        "render", path, "--out", "out=\(folder.path("out.wav"))", "--length", "3000s",
      ])
      // The test does not pause, since other load could prolong a pause: the file must be unfinished.
      var started: Set<Int> = []
      while started.count < 2, program.isRunning {
        usleep(1000)
        started = ProcessTable.children(of: program.processIdentifier, named: "backline-unit")
      }
      #expect(started.count == 2)
      usleep(UInt32(round * 7000))
      program.send(SIGKILL)
      _ = program.waitForEnd()
      for process in started { #expect(try await ProcessTable.loses(process)) }
    }
  }
}
