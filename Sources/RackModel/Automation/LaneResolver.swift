import Documents
import UnitModel

/// Checks a file's lanes.
struct LaneResolver {
  let targets: TargetResolver

  /// Few enough to look at in each cycle.
  static let mostLanes = 256

  static let curves: [String: PlannedLane.Curve] = {
    let hold: [String: PlannedLane.Curve] = ["hold": .hold]
    return hold.merging(ControlResolver.curves.mapValues { .along($0) }) { $1 }
  }()

  func resolve(
    _ entries: [LaneEntry], diagnostics: inout DiagnosticCollector
  ) -> [PlannedLane] {
    if entries.count > Self.mostLanes {
      diagnostics.error(
        entries[Self.mostLanes].target.position,
        "a rack has at most \(Self.mostLanes) lanes; this one has \(entries.count)")
      return []
    }
    var first: [ControlTarget: SourcePosition] = [:]
    return entries.compactMap { entry in
      guard let (target, info) = targets.resolve(entry.target, diagnostics: &diagnostics) else {
        return nil
      }
      if let position = first[target] {
        diagnostics.error(
          entry.target.position,
          "“\(entry.target.value)” has two lanes, the first on line \(position.line)")
      }
      first[target] = entry.target.position
      return lane(entry, target, info, diagnostics: &diagnostics)
    }
  }

  private func lane(
    _ entry: LaneEntry, _ target: ControlTarget, _ info: ParameterInfo,
    diagnostics: inout DiagnosticCollector
  ) -> PlannedLane? {
    let curve = curve(entry.curve, of: info, diagnostics: &diagnostics)
    var points: [PlannedLane.Point] = []
    var clock: PlannedLane.Clock?
    for written in entry.points {
      guard let (time, value) = point(written, entry, info, diagnostics: &diagnostics) else {
        continue
      }
      let (own, number): (PlannedLane.Clock, Double) =
        switch time {
        case .seconds(let seconds): (.seconds, seconds)
        case .beats(let beats): (.beats, beats)
        }
      if let clock, clock != own {
        diagnostics.error(
          written.position, "the times of one lane are all in seconds, or all in bars and beats")
      }
      clock = clock ?? own
      if let last = points.last, number < last.time {
        diagnostics.error(
          written.position, "“\(written.value)” comes before the point that is written before it")
      }
      points.append(.init(time: number, value: value))
    }
    guard let curve, let clock, points.count == entry.points.count else { return nil }
    if case .along(.logarithmic) = curve, let place = points.firstIndex(where: { $0.value <= 0 }) {
      diagnostics.error(
        entry.points[place].position,
        "“curve: log” goes by ratios, so all values of its lane are above 0")
    }
    return PlannedLane(target: target, clock: clock, curve: curve, points: points, info: info)
  }

  private func point(
    _ written: Located<String>, _ entry: LaneEntry, _ info: ParameterInfo,
    diagnostics: inout DiagnosticCollector
  ) -> (LaneTime, Float)? {
    guard let at = written.value.lastIndex(of: "@") else {
      diagnostics.error(
        written.position, "“\(written.value)” is not a point; write VALUE @ TIME, as in 5 kHz @ 2 s"
      )
      return nil
    }
    let value = Located(written.value[..<at].trimmingSpaces(), at: written.position)
    let number = targets.value(value, info, name: entry.target.value, diagnostics: &diagnostics)
    do {
      let time = try LaneTime(
        written: written.value[written.value.index(after: at)...].trimmingSpaces())
      return number.map { (time, $0) }
    } catch {
      diagnostics.error(written.position, error.description)
      return nil
    }
  }

  /// A parameter without values between two others keeps each until the next point.
  private func curve(
    _ written: Located<String>?, of info: ParameterInfo, diagnostics: inout DiagnosticCollector
  ) -> PlannedLane.Curve? {
    guard let written else { return info.isWhole ? .hold : .along(.linear) }
    guard let curve = Self.curves[written.value] else {
      let known = Self.curves.keys.sorted()
      diagnostics.error(
        written.position,
        "“\(written.value)” is not a curve; that is \(known.joined(separator: ", "))",
        suggestion: nearestWord(to: written.value, in: known))
      return nil
    }
    return info.isWhole ? .hold : curve
  }
}
