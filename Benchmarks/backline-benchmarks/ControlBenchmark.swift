import BacklineTestSupport
import Glibc

/// The processor time of the threads without real-time priority while a rack plays and nobody changes it.
enum ControlBenchmark {
  private static let period = 64
  private static let counts = [256, 1]

  static func run() throws {
    let folder = try TemporaryFolder()
    let server = try JackTestServer(period: period)
    let racks = try counts.map { count in
      try folder.write("gains-\(count).yaml", bytes: Array(rack(count).utf8))
    }
    let medians = try Measurement.interleaved(
      rounds: 3, racks.map { rack in { try measure(rack, at: server) } })
    var table = Table(
      title: "Control side of a running rack, \(period) frames", unit: "µs of processor per cycle",
      reference: "1 gain")
    table.rows.append(
      Table.Row("256 gains", ours: medians[0], reference: medians[1], ratio: medians[0], aim: 2))
    try table.show()
  }

  /// Returns their processor time in microseconds a cycle.
  private static func measure(_ rack: String, at server: JackTestServer) throws -> Double {
    let command = [Child.sibling("backline"), "run", rack, "--server-name", server.name]
    let child = try LiveBenchmark.start(command, at: server)
    defer { child.end() }
    sleep(2)
    let (before, began) = (child.controlSideTime, Measurement.now())
    sleep(Measurement.amount(4, short: 1))
    let cycles = (Measurement.now() - began) * 48_000 / Double(period)
    return (child.controlSideTime - before) / cycles / 1000
  }

  private static func rack(_ count: Int) -> String {
    let names = (1...count).map { "g\($0)" }
    return """
      rack: Gains
      inputs: { in: { channels: 2 } }
      outputs: { out: { channels: 2 } }
      units:
      \(names.map { "  \($0): { unit: aufx/gain/bkln }" }.joined(separator: "\n"))
      connections: [ in -> \(names.joined(separator: " -> ")) -> out ]

      """
  }
}
