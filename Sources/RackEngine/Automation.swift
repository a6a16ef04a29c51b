import CKernel
import RackLowering
import RackModel

/// A plan's lanes for the kernel, shared by graphs that follow each other with the same lanes.
final class Automation {
  let pointer: OpaquePointer
  /// The lanes without their targets, whose unit indices an edit may change.
  private let lanes: [PlannedLane]
  /// The sample rate, Hz.
  private let sampleRate: Double

  /// Returns the duration of a step, seconds: the kernel's ramp and a frame.
  private static func jump(_ sampleRate: Double) -> Double {
    Double(bl_ramp_frames(sampleRate) + 1) / sampleRate
  }

  /// The duration of a step in beats, at 240 beats per minute.
  private static let jumpInBeats = 0.08

  /// Returns a plan's automation; `previous` if its lanes and sample rate are the same, nil without lanes.
  ///
  /// - Throws: `RackError` if memory is short.
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
    let arrays = CArrays()
    let list = lanes.map { lane in
      let pieces = Self.pieces(of: lane, sampleRate: sampleRate)
      return bl_lane(
        counts_beats: lane.clock == .beats, piece_count: UInt32(pieces.count),
        pieces: arrays.copy(pieces))
    }
    let pointer = withExtendedLifetime(arrays) {
      bl_automation_create(list, UInt32(list.count))
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
