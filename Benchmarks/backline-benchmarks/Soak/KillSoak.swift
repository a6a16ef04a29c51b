import BacklineTestSupport
import Foundation

/// One process after another is killed, seldom enough that none of them has to wait before it may
/// start again.
enum KillSoak {
  private static let kills = 100
  private static let pause: UInt32 = 2_000_000

  static func run() throws {
    let folder = try TemporaryFolder()
    let stage = try SoakStage(SoakStage.gainRow, in: folder)
    defer { stage.end() }
    usleep(pause)
    var since: [Int: Double] = [:]
    for number in 0..<kills {
      // The oldest process.
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
    try table.show()
  }
}
