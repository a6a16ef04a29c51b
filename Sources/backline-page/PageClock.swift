/// How long messages of a page were under way.
///
/// The two clocks differ by an unknown time; the message that was fastest so far counts as new.
struct PageClock {
  private let start = ContinuousClock.now
  private var least = Double.infinity

  /// - Parameter time: seconds, by the page's clock.
  /// - Returns: seconds.
  mutating func age(ofMessageSent time: Double) -> Double {
    let difference = (ContinuousClock.now - start) / .seconds(1) - time
    least = min(least, difference)
    return difference - least
  }
}

/// Messages that a page may send: 500 a second, and as many at once.
struct MessageBudget {
  private static let rate = 500.0
  private var left = rate
  private var time = ContinuousClock.now

  mutating func admit() -> Bool {
    let now = ContinuousClock.now
    left = min(Self.rate, left + (now - time) / .seconds(1) * Self.rate)
    time = now
    left -= 1
    return left >= 0
  }
}
