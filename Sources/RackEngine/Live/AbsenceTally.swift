/// Folds the times that units did not answer into one each, since a process in trouble comes
/// and goes with every cycle: the first is told at once, the others of a second together.
struct AbsenceTally {
  private var counts: [String: Int] = [:]
  private var nextTelling: ContinuousClock.Instant?

  mutating func note(unit: String, count: Int) { counts[unit, default: 0] += count }

  /// What is to be told now, in order of the units' names.
  mutating func tell(at now: ContinuousClock.Instant) -> [EngineEvent] {
    guard !counts.isEmpty else { return [] }
    if let nextTelling, now < nextTelling { return [] }
    let events = counts.sorted { $0.key < $1.key }.map { unit, count in
      EngineEvent.unit(unit, .late(times: count))
    }
    (counts, nextTelling) = ([:], now + .seconds(1))
    return events
  }
}
