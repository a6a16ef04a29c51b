import BacklineTestSupport
import Foundation
import Synchronization

/// Ten minutes of edits at 64 frames, twenty a second, and of sets beside them, each sent after the answer
/// to the one before.
enum FloodSoak {
  private static let minutes = 10

  static func run() throws {
    let folder = try TemporaryFolder()
    let stage = try SoakStage(EditSoak.rack, in: folder)
    defer { stage.end() }
    sleep(2)
    let (before, processor, began) = (stage.xruns, stage.program.processorTime, Measurement.now())
    let isOver = StopFlag()
    let editing = Worker { try edit(until: isOver) }
    let flooding = Worker { try flood(until: isOver) }
    sleep(UInt32(minutes * 60))
    isOver.raise()
    let (edits, sets) = (try editing.result(), try flooding.result())
    let seconds = Measurement.now() - began
    let after = stage.xruns
    var table = Table(
      title: "\(minutes) minutes of \(edits) edits and \(sets) sets, 64 frames", unit: "count",
      reference: "beside")
    table.addXruns((after.ours - before.ours, after.idle - before.idle))
    let share = (stage.program.processorTime - processor) / seconds * 100
    table.rows.append(.init("% of a processor", ours: share, reference: nil))
    table.rows.append(
      .init("sets a second", ours: Double(sets) / seconds, reference: nil))
    try table.show()
    for line in stage.said.split(separator: "\n").suffix(6) { print("  | \(line)") }
  }

  private static func edit(until isOver: StopFlag) throws -> Int {
    let rack = try SoakControl(rack: SoakStage.client)
    var random = Random(seed: 23)
    var edits = 0
    while !isOver.isRaised {
      if try rack.performs(EditSoak.command(&random)) { edits += 1 }
      usleep(50_000)
    }
    return edits
  }

  private static func flood(until isOver: StopFlag) throws -> Int {
    let rack = try SoakControl(rack: SoakStage.client)
    var sets = 0
    while !isOver.isRaised {
      // The command is refused while the unit is missing.
      _ = try rack.performs([
        "command": "set", "parameter": "level.gain", "value": "\(-1 - sets % 20) dB",
      ])
      sets += 1
    }
    return sets
  }
}

/// Blocking work on a dispatch queue, outside Swift's executors.
private final class Worker: Sendable {
  private let outcome = Mutex<Result<Int, any Error>>(.success(0))
  private let group = DispatchGroup()

  init(_ work: @escaping @Sendable () throws -> Int) {
    DispatchQueue.global().async(group: group) { [self] in
      let result = Result(catching: work)
      outcome.withLock { $0 = result }
    }
  }

  func result() throws -> Int {
    group.wait()
    return try outcome.withLock { try $0.get() }
  }
}
