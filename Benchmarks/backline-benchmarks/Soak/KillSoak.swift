import BacklineTestSupport
import Foundation

/// One process after another is killed, seldom enough that none of them has to wait before it may
/// start again.
enum KillSoak {
  private static let kills = 100
  private static let pause: UInt32 = 2_000_000
  private static let row = (1...8).map { "u\($0)" }

  private static let rack = """
    rack: \(SoakStage.client)
    inputs: { in: { channels: 1 } }
    outputs: { out: { channels: 1 } }
    units:
    \(row.map { "  \($0): { unit: aufx/gain/bkln, process: own }" }.joined(separator: "\n"))
    connections: [ in -> \(row.joined(separator: " -> ")) -> out ]

    """

  static func run() throws {
    let folder = try TemporaryFolder()
    let stage = try SoakStage(rack, in: folder)
    defer { stage.end() }
    usleep(pause)
    var since: [Int: Double] = [:]
    for number in 0..<kills {
      // The one that has lived longest.
      let processes = stage.unitProcesses
      for process in processes where since[process] == nil { since[process] = Measurement.now() }
      guard let oldest = processes.min(by: { since[$0, default: 0] < since[$1, default: 0] })
      else { throw SoakStage.NotPlaying(description: stage.said) }
      kill(pid_t(oldest), number % 2 == 0 ? SIGKILL : SIGSEGV)
      usleep(pause + .random(in: 0..<400_000))
    }
    var table = Table(
      title: "\(kills) kills among eight processes in a row, 64 frames", unit: "count",
      reference: "beside")
    table.addReturns(stage.returns, aim: 100)
    table.addXruns(stage.xruns)
    table.show()
  }
}
