import OSC

/// Messages whose time is still to come, in its order.
struct OSCSchedule {
  struct Entry: Sendable {
    var request: OSCServer.Request
    var due: ContinuousClock.Instant
    /// When it is to be thought of: what is scheduled at a frame, somewhat before.
    var wake: ContinuousClock.Instant
  }

  private(set) var entries: [Entry] = []

  static let mostEntries = 1024
  /// Seconds ahead.
  static let farthest = 60.0

  var nextWake: ContinuousClock.Instant? { entries.first?.wake }
  var isFull: Bool { entries.count >= Self.mostEntries }

  /// Of one time, what came first comes first.
  mutating func add(_ entry: Entry) {
    let place = entries.lastIndex { $0.wake <= entry.wake }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }

  /// Takes what is to be thought of by then.
  mutating func take(until instant: ContinuousClock.Instant) -> [Entry] {
    let count = entries.firstIndex { $0.wake > instant } ?? entries.count
    defer { entries.removeFirst(count) }
    return Array(entries.prefix(count))
  }
}
