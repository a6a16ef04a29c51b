import OSC
import RackModel

/// A peer that receives events until its lease ends.
struct OSCSubscriber {
  /// Where the events go.
  let returnAddress: OSCEndpoint
  /// When the peer counts as gone.
  private(set) var end: ContinuousClock.Instant = .now + lease
  /// Sends the events.
  var events: Task<Void, Never>?

  static let most = 32
  static let lease = Duration.seconds(60)

  init(returnAddress: OSCEndpoint) { self.returnAddress = returnAddress }

  var hasEnded: Bool { ContinuousClock.now >= end }

  mutating func renew() { end = .now + Self.lease }
}
