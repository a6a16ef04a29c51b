import OSC
import RackModel

/// Somebody who is told of changes, until the lease ends.
struct OSCSubscriber {
  /// Where to.
  let returnAddress: OSCEndpoint
  /// When it counts as gone.
  private(set) var end: ContinuousClock.Instant
  var meters: Task<Void, Never>?
  /// By address, what it has set itself and has not been heard back yet: a fader that is moved must
  /// not be moved by its own echo.
  private var set: [String: [Float]] = [:]

  static let most = 32
  static let lease = Duration.seconds(60)
  /// Of one address; a hand moves no faster than what is told.
  private static let mostSet = 64

  init(returnAddress: OSCEndpoint) {
    self.returnAddress = returnAddress
    end = .now + Self.lease
  }

  var hasEnded: Bool { ContinuousClock.now >= end }

  mutating func renew() { end = .now + Self.lease }

  /// What is about to be set; only numbers, for what a text comes to is news.
  mutating func note(_ text: String, at address: String) {
    guard let value = Float(text) ?? ["false": 0, "true": 1][text] else { return }
    set[address, default: []].append(value)
    if set[address, default: []].count > Self.mostSet { set[address]?.removeFirst() }
  }

  /// Is a change the echo of its own? What it set before that is forgotten with it.
  mutating func hasSet(_ value: Float, at address: String) -> Bool {
    guard let values = set[address], let place = values.firstIndex(of: value) else {
      set[address] = nil
      return false
    }
    set[address] = place + 1 < values.count ? Array(values[(place + 1)...]) : nil
    return true
  }

  mutating func forgetSets() { set = [:] }
}
