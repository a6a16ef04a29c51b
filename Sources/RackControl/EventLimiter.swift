import AsyncSupport
import RackEngine

/// Limits how many events of each kind reach a terminal or a log: the first pass at once, further ones
/// are counted, and the count is reported about once a second.
public final class EventLimiter: Sendable {
  private struct Kind {
    var limiter: RateLimiter
    var leftOut = 0
  }

  private let kinds = Guarded<[String: Kind]>([:])
  private let report: @Sendable (EngineEvent) -> Void
  /// Events of a kind that pass in a second, and at once.
  static let perSecond = 40.0

  /// - Parameter report: receives the counts.
  public init(report: @escaping @Sendable (EngineEvent) -> Void) { self.report = report }

  /// Whether an event may be shown.
  public func admits(_ event: EngineEvent) -> Bool {
    let name = event.limitedKind
    guard let name else { return true }
    let (isAdmitted, isFirst) = kinds.withLock { kinds in
      var kind = kinds[name] ?? Kind(limiter: RateLimiter(perSecond: Self.perSecond))
      defer { kinds[name] = kind }
      if kind.leftOut == 0, kind.limiter.admit() { return (true, false) }
      kind.leftOut += 1
      return (false, kind.leftOut == 1)
    }
    if isFirst {
      Task { [weak self] in
        try? await Task.sleep(for: .seconds(1))
        self?.reportCount(of: name)
      }
    }
    return isAdmitted
  }

  private func reportCount(of name: String) {
    let count = kinds.withLock { kinds in
      defer { kinds[name]?.leftOut = 0 }
      return kinds[name]?.leftOut ?? 0
    }
    if count > 0 { report(.remark("\(name): \(count) more in the last second, not shown")) }
  }
}

extension EngineEvent {
  /// The kind whose events are limited; nil for events that are always shown.
  fileprivate var limitedKind: String? {
    switch self {
    case .scene: "scenes"
    case .song: "songs"
    case .warning: "warnings"
    case .unit(let name, _): "messages of \(name)"
    case .connected: "connections"
    default: nil
    }
  }
}
