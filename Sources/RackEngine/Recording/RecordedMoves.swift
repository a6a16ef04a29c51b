import Documents
import RackModel
import UnitModel

/// What is moved while the transport rolls, from when it is asked for on.
struct RecordedMoves {
  /// Where it goes in the end.
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

  /// - Throws: an error that names the file.
  func write() throws {
    let text = try AutomationFile.text(of: Array(lanes.values))
    try WholeFile.write(Array(text.utf8), to: path)
  }
}
