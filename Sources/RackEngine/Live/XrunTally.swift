/// Folds the xruns of a second into one event, since a server in trouble has hundreds.
///
/// JACK's notifications alone are counted; the kernel only says who took how much of the cycle.
struct XrunTally {
  private var told = 0
  private var worst: LateCycle?
  private var nextTelling: ContinuousClock.Instant?

  /// The cycle of an xrun; of several, that in which the rack took longest is kept.
  mutating func note(_ cycle: LateCycle) {
    if cycle.nanoseconds >= worst?.nanoseconds ?? 0 { worst = cycle }
  }

  /// What is to be told now, if anything; `total` counts the xruns since the engine began.
  mutating func tell(total: Int, at now: ContinuousClock.Instant) -> EngineEvent? {
    guard total > told else { return nil }
    if let nextTelling, now < nextTelling { return nil }
    let event = EngineEvent.xrun(total: total, worst: worst)
    (told, worst, nextTelling) = (total, nil, now + .seconds(1))
    return event
  }
}
