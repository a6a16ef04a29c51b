import OSC
import RackModel

/// A peer that receives events until its lease ends.
struct OSCSubscriber {
  /// The destination of the events.
  let returnAddress: OSCEndpoint
  /// The end of the lease.
  private(set) var end: ContinuousClock.Instant = .now + lease
  /// The task that sends the events.
  var events: Task<Void, Never>?

  static let maximum = 32
  static let lease = Duration.seconds(60)

  init(returnAddress: OSCEndpoint) { self.returnAddress = returnAddress }

  var hasEnded: Bool { ContinuousClock.now >= end }

  mutating func renew() { end = .now + Self.lease }
}
