import Documents
import RackModel
import SoundFiles
import UnitModel

/// The moves of parameters while the transport rolls.
struct RecordedMoves {
  /// The file to be written.
  let path: String
  /// Moves that the kernel had no room to report.
  var lost = 0
  /// Whether the kernel has reported all moves.
  var isComplete = false
  private var lanes: [ParameterPath: RecordedLane] = [:]

  init(path: String) { self.path = path }

  var laneCount: Int { lanes.count }

  /// The number of straight pieces that approximate a smooth ramp; the error is 1 % at most.
  private static let pieces = 8

  /// Records a move of a parameter from `before` to `value`; `time` and `ramp` are seconds.
  mutating func move(
    _ path: ParameterPath, _ info: ParameterInfo, at time: Double, from before: Float,
    to value: Float, ramp: Double, isLine: Bool
  ) {
    let count = ramp > 0 && !isLine ? Self.pieces : 1
    func place(_ piece: Int) -> Float {
      let passed = Float(piece) / Float(count)
      return piece == count ? value : before + passed * passed * (3 - 2 * passed) * (value - before)
    }
    for piece in 0..<count {
      lanes[path, default: RecordedLane(path, info: info)].move(
        at: time + ramp * Double(piece) / Double(count),
        from: place(piece), to: place(piece + 1), ramp: ramp / Double(count))
    }
    if info.isMomentary { lanes[path]?.move(at: time, from: value, to: 0, ramp: 0) }
  }

  /// Renames a unit in its lanes; a lane of the same parameter with the new name is replaced.
  mutating func rename(_ name: String, to new: String) {
    for (path, var lane) in lanes where path.unit == name {
      lane.rename(to: new)
      lanes[path] = nil
      lanes[lane.path] = lane
    }
  }

  /// Writes a new file.
  ///
  /// - Throws: an error that names the file.
  func write(to path: String) throws {
    let text = AutomationFile.text(of: Array(lanes.values))
    guard !RecordingFile.exists(path) else {
      throw Refusal(RecordingFile.reasonNotToReplace(path))
    }
    try WholeFile.write(Array(text.utf8), to: path, asNew: true)
  }
}
