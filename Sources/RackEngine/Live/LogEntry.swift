import Glibc

/// An event of a playing rack, as a line of its log.
public struct LogEntry: Sendable, Codable, Equatable {
  /// Seconds since 1970.
  public var time: Double
  public var text: String
  /// Whether somebody should look at it.
  public var isWarning: Bool

  /// Nil for an event that is not for everybody.
  package init?(_ event: EngineEvent) {
    // Its key opens the rack to its reader.
    if case .page = event { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    time = Double(now.tv_sec) + (Double(now.tv_nsec) / 1e6).rounded() / 1e3
    text = event.text
    isWarning = event.isWarning
  }
}
