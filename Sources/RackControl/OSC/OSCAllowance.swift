/// How much of something may still happen now: so much a second, and so much at once.
struct OSCAllowance {
  let perSecond: Double
  private var left: Double
  private var time: ContinuousClock.Instant

  /// As much at once as in one second.
  init(perSecond: Double, at now: ContinuousClock.Instant = .now) {
    (self.perSecond, left, time) = (perSecond, perSecond, now)
  }

  /// Takes one; false where there is none left.
  mutating func take(at now: ContinuousClock.Instant = .now) -> Bool {
    left = min(perSecond, left + (now - time) / .seconds(1) * perSecond)
    time = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
