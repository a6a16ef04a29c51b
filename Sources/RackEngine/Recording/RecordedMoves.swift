import Documents
import RackModel
import SoundFiles
import UnitModel

/// What is moved while the transport rolls, from when it is asked for on.
struct RecordedMoves {
  /// Where it is to go in the end.
  let path: String
  /// Moves that found no room on their way up.
  var lost = 0
  /// Has everything come up?
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
  }

  /// A unit is called otherwise now; what there was of another that had the name goes.
  mutating func follow(_ name: String, renamed new: String) {
    for (path, var lane) in lanes where path.unit == name {
      lane.rename(to: new)
      lanes[path] = nil
      lanes[lane.path] = lane
    }
  }

  /// Into a file that is not there yet.
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
