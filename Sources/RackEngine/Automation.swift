import CKernel
import RackModel

/// A plan's lanes, laid down for the kernel: graphs that follow each other with the same ones share
/// this.
final class Automation {
  let pointer: OpaquePointer
  /// Without what they move: an edit may bring that to another place.
  private let lanes: [PlannedLane]
  /// Hz.
  private let sampleRate: Double

  /// How long a step is on its way, as in the kernel: 5 ms, and a frame on which it is there. Seconds
  private static func jump(_ sampleRate: Double) -> Double {
    ((sampleRate * 0.005).rounded(.down) + 2) / sampleRate
  }

  /// The same in beats, at 240 of them a minute.
  private static let jumpInBeats = 0.02

  /// Those that there were before, if they are the same; nil where there are none.
  static func of(
    _ plan: Plan, sampleRate: Double, after previous: Automation?
  ) throws(RackError) -> Automation? {
    guard !plan.automation.isEmpty else { return nil }
    let lanes = plan.automation.map { lane in
      var lane = lane
      lane.target = .bypass(unit: 0)
      return lane
    }
    if let previous, previous.lanes == lanes, previous.sampleRate == sampleRate { return previous }
    return try Automation(lanes, sampleRate: sampleRate)
  }

  private init(_ lanes: [PlannedLane], sampleRate: Double) throws(RackError) {
    (self.lanes, self.sampleRate) = (lanes, sampleRate)
    var pieces: [bl_lane_piece] = []
    var counts: [Int] = []
    for lane in lanes {
      let own = Self.pieces(of: lane, sampleRate: sampleRate)
      counts.append(own.count)
      pieces += own
    }
    let pointer = pieces.withUnsafeBufferPointer { pieces in
      var first = 0
      let list = zip(lanes, counts).map { lane, count in
        defer { first += count }
        return bl_lane(
          counts_beats: lane.clock == .beats, piece_count: UInt32(count),
          pieces: pieces.baseAddress.map { $0 + first })
      }
      return bl_automation_create(list, UInt32(list.count))
    }
    guard let pointer else { throw RackError("memory is short") }
    self.pointer = pointer
  }

  deinit { bl_automation_destroy(pointer) }

  private static func pieces(of lane: PlannedLane, sampleRate: Double) -> [bl_lane_piece] {
    let isInBeats = lane.clock == .beats
    func time(_ time: Double) -> Double {
      isInBeats ? time : (time * sampleRate).rounded()
    }
    return lane.pieces(
      jump: isInBeats ? jumpInBeats : jump(sampleRate), frame: isInBeats ? nil : 1 / sampleRate
    ).map {
      bl_lane_piece(start: time($0.start), end: time($0.end), from: $0.from, to: $0.to)
    }
  }
}
