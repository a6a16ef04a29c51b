import Documents
import UnitModel

extension PlannedLane {
  /// The most lanes of a rack: few enough to visit in each cycle.
  static let maximumLanes = 256
}

extension RackContext {
  /// Checks a file's lanes; returns the correct ones, and reports errors to `diagnostics`.
  func lanes(_ entries: [Rack.Lane]) -> [PlannedLane] {
    if entries.count > PlannedLane.maximumLanes {
      diagnostics.error(
        entries[PlannedLane.maximumLanes].target.position,
        "a rack has at most \(PlannedLane.maximumLanes) lanes; this one has \(entries.count)")
      return []
    }
    var first: [ControlTarget: SourcePosition] = [:]
    return entries.compactMap { entry in
      guard let (target, info) = target(entry.target) else { return nil }
      if let position = first[target] {
        diagnostics.error(
          entry.target.position,
          "“\(entry.target.value)” has two lanes, the first on line \(position.line)")
      }
      first[target] = entry.target.position
      return lane(entry, target, info)
    }
  }

  private func lane(
    _ entry: Rack.Lane, _ target: ControlTarget, _ info: ParameterInfo
  ) -> PlannedLane? {
    var points: [PlannedLane.Point] = []
    var clock: PlannedLane.Clock?
    for written in entry.points {
      guard let (time, value) = point(written, entry, info) else { continue }
      if let clock, clock != time.clock {
        diagnostics.error(
          written.position, "the times of one lane are all in seconds, or all in bars and beats")
      }
      clock = clock ?? time.clock
      if let last = points.last, time.value < last.time {
        diagnostics.error(
          written.position, "“\(written.value)” comes before the point that is written before it")
      }
      points.append(.init(time: time.value, value: value))
    }
    guard let clock, points.count == entry.points.count else { return nil }
    // A stepped parameter keeps each value until the next point.
    let curve = info.isWhole ? .hold : entry.curve?.value ?? .along(.linear)
    if case .along(.logarithmic) = curve, let index = points.firstIndex(where: { $0.value <= 0 }) {
      diagnostics.error(
        entry.points[index].position,
        "“curve: log” goes by ratios, so all values of its lane must be above 0")
    }
    return PlannedLane(target: target, clock: clock, curve: curve, points: points, info: info)
  }

  private func point(
    _ written: Located<String>, _ entry: Rack.Lane, _ info: ParameterInfo
  ) -> (LaneTime, Float)? {
    guard let at = written.value.lastIndex(of: "@") else {
      diagnostics.error(
        written.position, "“\(written.value)” is not a point; write VALUE @ TIME, as in 5 kHz @ 2 s"
      )
      return nil
    }
    let text = Located(written.value[..<at].trimmingSpaces(), at: written.position)
    let value = value(text, for: info, name: entry.target.value)
    let time = diagnostics.value(of: written) { text throws(Refusal) in
      try LaneTime(written: text[text.index(after: at)...].trimmingSpaces())
    }
    return time.flatMap { time in value.map { (time, $0) } }
  }
}
