import Glibc

/// An event of a playing rack, as a line of the rack's log.
public struct LogEntry: Sendable, Codable, Equatable {
  /// The time of the event, seconds since 1970.
  public var time: Double
  public var text: String
  /// Whether the entry needs attention.
  public var isWarning: Bool

  /// Creates the entry of an event; nil for an event that must stay out of the log.
  package init?(_ event: EngineEvent) {
    // The link's key gives access to the rack.
    if case .page = event { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    time = Double(now.tv_sec) + (Double(now.tv_nsec) / 1e6).rounded() / 1e3
    text = event.text
    isWarning = event.isWarning
  }
}
