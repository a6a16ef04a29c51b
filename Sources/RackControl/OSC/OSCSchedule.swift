import OSC

/// The requests to be carried out later, in order of time.
struct OSCSchedule {
  struct Entry: Sendable {
    var request: OSCServer.Received
    var due: ContinuousClock.Instant
    /// The time at which the entry is handled: before `due` for a set at a frame.
    var wake: ContinuousClock.Instant
  }

  private(set) var entries: [Entry] = []

  static let maximumEntries = 1024
  /// The largest time ahead, in seconds.
  static let farthest = 60.0

  var nextWake: ContinuousClock.Instant? { entries.first?.wake }
  var isFull: Bool { entries.count >= Self.maximumEntries }

  /// Adds an entry, behind those with the same wake time.
  mutating func add(_ entry: Entry) {
    let index = entries.lastIndex { $0.wake <= entry.wake }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: index)
  }

  /// Removes and returns the entries whose wake time is not after `instant`.
  mutating func pop(until instant: ContinuousClock.Instant) -> [Entry] {
    let count = entries.firstIndex { $0.wake > instant } ?? entries.count
    defer { entries.removeFirst(count) }
    return Array(entries.prefix(count))
  }
}
