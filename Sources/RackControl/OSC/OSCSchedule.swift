import OSC

/// Messages to be carried out later, in the order of their times.
struct OSCSchedule {
  struct Entry: Sendable {
    var request: OSCServer.Received
    var due: ContinuousClock.Instant
    /// When it is handled: for a set at a frame, somewhat before `due`.
    var wake: ContinuousClock.Instant
  }

  private(set) var entries: [Entry] = []

  static let mostEntries = 1024
  /// How far ahead a time may be; seconds.
  static let farthest = 60.0

  var nextWake: ContinuousClock.Instant? { entries.first?.wake }
  var isFull: Bool { entries.count >= Self.mostEntries }

  /// Entries of the same time stay in the order in which they were added.
  mutating func add(_ entry: Entry) {
    let place = entries.lastIndex { $0.wake <= entry.wake }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }

  /// Removes and returns the entries whose wake time is not after `instant`.
  mutating func pop(until instant: ContinuousClock.Instant) -> [Entry] {
    let count = entries.firstIndex { $0.wake > instant } ?? entries.count
    defer { entries.removeFirst(count) }
    return Array(entries.prefix(count))
  }
}
