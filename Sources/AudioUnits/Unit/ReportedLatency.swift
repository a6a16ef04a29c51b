/// A unit's latency, and how often it changes: each change lowers a rack again.
struct ReportedLatency: Sendable {
  /// Frames.
  private(set) var frames = 0
  /// The times of the last changes, `limit` at most.
  private var changes: [ContinuousClock.Instant] = []
  private var hasBeenHeld = false

  /// The number of changes in 30 seconds from which on the latency is held.
  private static let limit = 20

  /// Whether the latency has not changed in the last 30 seconds, as `needsHold` found.
  var isSteady: Bool { changes.isEmpty }

  /// Returns whether this latency is another one.
  mutating func update(_ frames: Int) -> Bool {
    guard frames != self.frames else { return false }
    self.frames = frames
    changes = changes.suffix(Self.limit - 1) + [.now]
    return true
  }

  /// Returns whether the latency has to stay, and whether that is so for the first time.
  mutating func needsHold() -> (isHeld: Bool, isNew: Bool) {
    changes.removeAll { .now - $0 > .seconds(30) }
    let isHeld = changes.count == Self.limit
    defer { hasBeenHeld = hasBeenHeld || isHeld }
    return (isHeld, isHeld && !hasBeenHeld)
  }
}
