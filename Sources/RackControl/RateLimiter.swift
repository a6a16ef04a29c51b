/// Lets so many events a second through, and as many at once.
struct RateLimiter: Sendable {
  let perSecond: Double
  private var left: Double
  private var time: ContinuousClock.Instant

  init(perSecond: Double, at now: ContinuousClock.Instant = .now) {
    (self.perSecond, left, time) = (perSecond, perSecond, now)
  }

  /// Whether an event may happen now.
  mutating func admit(at now: ContinuousClock.Instant = .now) -> Bool {
    left = min(perSecond, left + (now - time) / .seconds(1) * perSecond)
    time = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
