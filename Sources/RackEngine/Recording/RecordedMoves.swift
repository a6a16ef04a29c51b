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
  var isWhole = false
  private var lanes: [ParameterPath: RecordedLane] = [:]

  init(path: String) { self.path = path }

  var laneCount: Int { lanes.count }

  /// Times in seconds.
  mutating func move(
    _ path: ParameterPath, _ info: ParameterInfo, at time: Double, from before: Float,
    to value: Float, ramp: Double
  ) {
    lanes[path, default: RecordedLane(path, info: info)]
      .move(at: time, from: before, to: value, ramp: ramp)
    if info.isMomentary { lanes[path]?.move(at: time, from: value, to: 0, ramp: 0) }
  }

  /// The unit was renamed; lanes of another that had the new name are removed.
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
