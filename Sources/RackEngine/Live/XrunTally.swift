/// Folds the xruns of a second into one event, since a server in trouble has hundreds.
///
/// JACK's notifications alone are counted; the kernel only says which unit took longest.
struct XrunTally {
  private var told = 0
  private var longest: (unit: String, nanoseconds: Double)?
  private var nextTelling: ContinuousClock.Instant?

  /// The unit that took longest in the cycle of an xrun.
  mutating func note(longestUnit unit: String, nanoseconds: Double) {
    if nanoseconds >= longest?.nanoseconds ?? 0 { longest = (unit, nanoseconds) }
  }

  /// What is to be told now, if anything; `total` counts the xruns since the engine began.
  mutating func tell(total: Int, at now: ContinuousClock.Instant) -> EngineEvent? {
    guard total > told else { return nil }
    if let nextTelling, now < nextTelling { return nil }
    let event = EngineEvent.xrun(
      total: total, longestUnit: longest?.unit, nanoseconds: longest?.nanoseconds ?? 0)
    (told, longest, nextTelling) = (total, nil, now + .seconds(1))
    return event
  }
}
