/// An estimate of the age of a page's messages.
///
/// The two clocks differ by an unknown time. The fastest message so far counts as one of age 0.
struct PageClock {
  private let start = ContinuousClock.now
  private var least = Double.infinity

  /// Returns the age of a message, in seconds.
  ///
  /// - Parameter time: the time of sending, in seconds of the page's clock.
  mutating func age(ofMessageSent time: Double) -> Double {
    let difference = (ContinuousClock.now - start) / .seconds(1) - time
    least = min(least, difference)
    return difference - least
  }
}

/// The limit of a page's messages: 500 a second, and as many at once.
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
