import AsyncSupport
import RackEngine

/// A limiter of the number of messages of each kind. The first messages are admitted at once, further messages are
/// counted, and their count is reported at the end of the interval.
public final class EventLimiter: Sendable {
  private struct Kind {
    var limiter: RateLimiter
    var omitted = 0
  }

  private let kinds = Guarded<[String: Kind]>([:])
  private let limiter: RateLimiter
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - count: the number of messages of a kind that are admitted in an interval.
  ///   - report: a function that receives the counts as sentences, in any thread.
  public init(
    _ count: Double = 40, per interval: Duration = .seconds(1),
    report: @escaping @Sendable (String) -> Void
  ) {
    limiter = RateLimiter(count, per: interval)
    self.report = report
  }

  /// Whether an event may be shown; counts the event. Can be called in any thread.
  public func admits(_ event: EngineEvent) -> Bool { event.limitedKind.map(admits) ?? true }

  func admits(_ name: String) -> Bool {
    let (isAdmitted, isFirst) = kinds.withLock { kinds in
      var kind = kinds[name] ?? Kind(limiter: limiter)
      defer { kinds[name] = kind }
      if kind.omitted == 0, kind.limiter.admit() { return (true, false) }
      kind.omitted += 1
      return (false, kind.omitted == 1)
    }
    if isFirst {
      Task { [weak self, limiter] in
        try? await Task.sleep(for: limiter.interval)
        self?.reportCount(of: name)
      }
    }
    return isAdmitted
  }

  private func reportCount(of name: String) {
    let count = kinds.withLock { kinds in
      defer { kinds[name]?.omitted = 0 }
      return kinds[name]?.omitted ?? 0
    }
    let seconds = limiter.interval.components.seconds
    let time = seconds == 1 ? "second" : "\(seconds) s"
    if count > 0 { report("\(name): \(count) more in the last \(time), not shown") }
  }
}

extension EngineEvent {
  /// The name of the event's kind for the limit; nil for events that are always shown.
  fileprivate var limitedKind: String? {
    switch self {
    case .scene: "scenes"
    case .song: "songs"
    case .warning: "warnings"
    case .unit(let name, _): "messages of \(name)"
    case .tooLoud(let loud): "messages of \(loud.output)"
    case .connected: "connections"
    default: nil
    }
  }
}

/// A token bucket: admits a number of events in each interval, and as many at once.
struct RateLimiter: Sendable {
  let count: Double
  let interval: Duration
  private var left: Double
  private var time = ContinuousClock.now

  init(_ count: Double, per interval: Duration = .seconds(1)) {
    (self.count, self.interval, left) = (count, interval, count)
  }

  /// Counts an event; returns whether it is admitted.
  mutating func admit() -> Bool {
    let now = ContinuousClock.now
    left = min(count, left + (now - time) / interval * count)
    time = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
