import BacklineTestSupport
import Foundation
import Testing

/// Nothing is left behind by a host that is killed.
@Suite struct OrphanTests {
  private func children() -> Set<Int32> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return Set(
      names.compactMap { Int32($0) }.filter { number in
        let name = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
        return name == "backline-unit\n"
      })
  }

  @Test func unitProcessesDieWithTheirHost() async throws {
    let folder = try TemporaryFolder()
    let rack = folder.path("rack.yaml")
    try Data(
      """
      rack: Long
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        one: { unit: aufx/gain/bkln, process: own }
        two: { unit: aufx/dely/bkln, process: own }
      connections: [ "in -> one -> two -> out" ]
      """.utf8
    ).write(to: URL(fileURLWithPath: rack))
    for round in 0..<10 {
      let before = children()
      let program = try Program([
        "render", rack, "--out", "out=\(folder.path("out.wav"))", "--length", "3000s",
      ])
      var started: Set<Int32> = []
      for _ in 0..<500 where started.count < 2 {
        try await Task.sleep(for: .milliseconds(10))
        started = children().subtracting(before)
      }
      #expect(started.count >= 2)
      try await Task.sleep(for: .milliseconds(round * 7))
      program.send(SIGKILL)
      _ = program.waitForEnd()
      var left = started
      for _ in 0..<500 where !left.isEmpty {
        left = left.filter { kill($0, 0) == 0 }
        if !left.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      }
      #expect(left.isEmpty)
    }
  }
}
