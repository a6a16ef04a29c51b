import UnitModel

extension [PlannedLane.Point] {
  /// The tolerance in time of a removed point, seconds.
  private static let maximumLate = 0.005
  /// The tolerance in value as a share of the knob's travel: 0.02 dB of a gain of 84 dB, 3 cents of a
  /// cutoff of ten octaves.
  private static let maximumBeside = 1.0 / 4096

  /// Returns fewer points, joined by straight lines, that pass each removed point within `maximumLate` of its
  /// time and `maximumBeside` of its value.
  ///
  /// Each line runs from a kept point to the last point that it can reach within the tolerance of all
  /// between, as in the swing filter of Elmeleegy and others, “Online Piece-wise Linear Approximation of
  /// Numerical Streams with Precision Guarantees” (2009).
  func straightened(for info: ParameterInfo) -> [PlannedLane.Point] {
    guard var start = first else { return [] }
    var kept = [start]
    var last: PlannedLane.Point?
    var slopes = Slopes()
    for point in dropFirst() {
      if let end = last, !slopes.lead(from: start, to: point) {
        kept.append(end)
        start = end
        slopes = Slopes()
      }
      let beside = info.way(at: point.value) * Self.maximumBeside
      slopes.pass(point, from: start, late: Self.maximumLate, beside: beside)
      last = point
    }
    if let last { kept.append(last) }
    return kept
  }

  /// The points without those that repeat the value before.
  var withoutRepetition: [PlannedLane.Point] {
    var kept: [PlannedLane.Point] = []
    for point in self where point.value != kept.last?.value { kept.append(point) }
    return kept
  }
}

/// The range of slopes of the lines that pass all points so far, value units per second.
private struct Slopes {
  private var minimum = -Double.infinity
  private var maximum = Double.infinity

  func lead(from start: PlannedLane.Point, to end: PlannedLane.Point) -> Bool {
    guard end.time > start.time else { return false }
    let slope = Double(end.value - start.value) / (end.time - start.time)
    return minimum <= slope && slope <= maximum
  }

  /// Narrows the range to lines from `start` that pass `point` within the tolerances `late` (seconds) and
  /// `beside` (value).
  mutating func pass(
    _ point: PlannedLane.Point, from start: PlannedLane.Point, late: Double, beside: Double
  ) {
    let (soonest, latest) = (point.time - start.time - late, point.time - start.time + late)
    let lowest = Double(point.value) - Double(start.value) - beside
    let highest = Double(point.value) - Double(start.value) + beside
    if lowest > 0 {
      minimum = max(minimum, lowest / latest)
    } else if soonest > 0 {
      minimum = max(minimum, lowest / soonest)
    }
    if highest < 0 {
      maximum = min(maximum, highest / latest)
    } else if soonest > 0 {
      maximum = min(maximum, highest / soonest)
    }
  }
}
