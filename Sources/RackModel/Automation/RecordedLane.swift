import Documents
import UnitModel

/// The recorded changes of a parameter while the transport rolled, as a lane that repeats them.
package struct RecordedLane: Sendable {
  package private(set) var path: ParameterPath
  /// The points, joined by straight lines.
  package private(set) var points: [PlannedLane.Point] = []
  private let info: ParameterInfo
  /// The end of the last change, after `points`.
  private var goal: PlannedLane.Point?

  package init(_ path: ParameterPath, info: ParameterInfo) { (self.path, self.info) = (path, info) }

  /// Renames the unit.
  package mutating func rename(to unit: String) { path.unit = unit }

  /// Records a change to another value.
  ///
  /// - Parameters:
  ///   - time: the transport position, seconds. Points recorded after it are replaced.
  ///   - before: the value before the change, or the end of the ramp that it interrupts.
  ///   - ramp: the length of the change, seconds.
  package mutating func move(at time: Double, from before: Float, to value: Float, ramp: Double) {
    if let last = points.last, time < last.time || goal.map({ time < $0.time }) == true {
      cut(at: time, last)
    } else if let goal {
      points.append(goal)
      if goal.time < time { points.append(.init(time: time, value: goal.value)) }
    } else {
      points.append(.init(time: time, value: before))
    }
    goal = .init(time: time + ramp, value: value)
  }

  /// Ends the current change at `time`, and removes later points.
  private mutating func cut(at time: Double, _ last: PlannedLane.Point) {
    if time < last.time {
      let next = points.first { $0.time >= time }
      points.removeAll { $0.time >= time }
      points.append(.init(time: time, value: points.last?.value ?? next?.value ?? last.value))
    } else if let goal, goal.time > last.time {
      let share = (time - last.time) / (goal.time - last.time)
      let value = last.value + Float(share) * (goal.value - last.value)
      if time > last.time { points.append(.init(time: time, value: value)) }
    }
    goal = nil
  }

  /// The points as a file writes them: times to the microsecond, values rounded to the displayed digits.
  var writtenPoints: [String] {
    let all = points + (goal.map { [$0] } ?? [])
    return (info.isContinuous ? all.straightened(for: info) : all.withoutRepetition).map { point in
      let time = (point.time * 1e6).rounded() / 1e6
      return "\(Quantity.format(info.rounded(point.value), for: info)) @ \(Quantity.plain(time)) s"
    }
  }

  /// The lane as a file writes it; a parameter that cannot ramp has the curve `hold`.
  var written: YAMLValue {
    let points = YAMLValue.list(writtenPoints.map(YAMLValue.text))
    guard !info.isContinuous, !info.isWhole else { return points }
    return .map([("points", points), ("curve", .text("hold"))])
  }
}
