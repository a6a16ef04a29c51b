import AsyncSupport

/// Notices whether a unit has rendered NaN or infinity, which maxima of a sound would hide.
final class OutputWatch: Sendable {
  private let failed = Guarded(false)

  var hasFailed: Bool { failed.withLock { $0 } }

  /// - Parameter channels: channels × frames.
  func check(_ channels: [[Float]]) {
    if channels.contains(where: { !$0.allSatisfy(\.isFinite) }) { failed.withLock { $0 = true } }
  }
}
