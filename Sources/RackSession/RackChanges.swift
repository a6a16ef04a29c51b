import AsyncSupport
import AudioUnits
import RackEngine
import RackModel

/// What has changed since a subscriber last asked.
public struct RackChange: Sendable {
  /// The last value of each parameter that changed, in no order.
  public var readings: [ParameterReading] = []
  /// The rack's name, if other units, cables or presets play now.
  public var rack: String?
  /// The last state of each learning, in their order.
  public var learnings: [Learning] = []
  public var meters: RackMeters?
}

/// The state of a MIDI learn.
public struct Learning: Sendable, Codable, Equatable {
  /// What the control is to move: `echo.mix`.
  public var to: String
  /// What was done: `map keys cc 7 channel 1 to echo.mix`; nil while it waits for a control.
  public var done: String?
  /// Why nothing was mapped.
  public var error: String?
}

extension Learning: CustomStringConvertible {
  public var description: String { done ?? "\(to): \(error ?? "listening")" }
}

/// How loud ports and units are.
public struct RackMeters: Codable, Sendable {
  public var inputs: [EngineSnapshot.Meter]
  public var outputs: [EngineSnapshot.Meter]
  /// Of each unit's first output bus.
  public var units: [EngineSnapshot.Meter]

  init(_ status: EngineSnapshot) {
    (inputs, outputs) = (status.inputs, status.outputs)
    units = status.units.map { .init(name: $0.name, peak: $0.peak, rms: $0.rms) }
  }

  /// Keeps the higher peaks of earlier meters of the same names.
  mutating func keepPeaks(of earlier: RackMeters) {
    for group in [\RackMeters.inputs, \.outputs, \.units] {
      let peaks = Dictionary(earlier[keyPath: group].map { ($0.name, $0.peak) }) { max($0, $1) }
      for place in self[keyPath: group].indices {
        let meter = self[keyPath: group][place]
        self[keyPath: group][place].peak = max(meter.peak, peaks[meter.name] ?? 0)
      }
    }
  }
}

/// The changes of a session's rack, for one `for await`.
///
/// At most the last value of each parameter is kept between two calls of `next`; changes that follow each
/// other within 20 ms come together. Ends when its task is cancelled.
public struct RackChanges: AsyncSequence, Sendable {
  private let subscription: ChangeSubscription
  private let feed: ChangeFeed
  /// Changes within this time come together.
  fileprivate static let interval = Duration.milliseconds(20)

  init(_ feed: ChangeFeed, for peer: Peer?, meters rate: Double?) {
    self.feed = feed
    subscription = feed.subscribe(peer, meters: rate)
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      lifetime: Lifetime(subscription: subscription, feed: feed),
      news: subscription.news.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let lifetime: Lifetime
    fileprivate var news: AsyncStream<Void>.Iterator
    private var earliest: ContinuousClock.Instant?

    fileprivate init(lifetime: Lifetime, news: AsyncStream<Void>.Iterator) {
      (self.lifetime, self.news) = (lifetime, news)
    }

    public mutating func next() async -> RackChange? {
      while await news.next() != nil {
        if let earliest { try? await Task.sleep(until: earliest) }
        guard let change = lifetime.subscription.popChange() else { continue }
        earliest = .now + RackChanges.interval
        return change
      }
      return nil
    }
  }

  /// Cancels the subscription with its iterator.
  fileprivate final class Lifetime: Sendable {
    let subscription: ChangeSubscription
    private let feed: ChangeFeed

    init(subscription: ChangeSubscription, feed: ChangeFeed) {
      (self.subscription, self.feed) = (subscription, feed)
    }

    deinit { feed.cancel(subscription) }
  }
}

extension RackSession {
  /// Everything that changes from now on.
  ///
  /// - Parameters:
  ///   - peer: gets no values that it has set itself.
  ///   - rate: how often meters come, times a second; nil for no meters.
  public nonisolated func changes(for peer: Peer? = nil, meters rate: Double? = nil) -> RackChanges
  {
    let changes = RackChanges(feed, for: peer, meters: rate)
    if rate != nil { feed.startMeters { [engine] in await engine.status(since: $0) } }
    return changes
  }

  /// Rises with every change that could be saved.
  public nonisolated var revision: Int { feed.revision }

  /// Rises whenever other units, cables or presets play.
  package nonisolated var structureGeneration: Int { feed.structureGeneration }
}

/// What one subscriber has not asked for yet.
final class ChangeSubscription: Sendable {
  let news: AsyncStream<Void>
  let peer: Peer?
  /// Between two meters; nil for no meters.
  let meterInterval: Duration?
  private let bell: AsyncStream<Void>.Continuation
  private let state: Guarded<State>

  private struct State: Sendable {
    var readings: [String: ParameterReading] = [:]
    var change = RackChange()
    var heldMeters: RackMeters?
    var nextMeters: ContinuousClock.Instant
    var isEmpty: Bool {
      readings.isEmpty && change.rack == nil && change.learnings.isEmpty && change.meters == nil
    }
  }

  init(_ peer: Peer?, meters rate: Double?) {
    self.peer = peer
    meterInterval = rate.map { .seconds(1 / $0) }
    (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    state = Guarded(State(nextMeters: .now + (meterInterval ?? .zero)))
  }

  func note(_ reading: ParameterReading, by originator: Peer?) {
    let isOwn = originator != nil && originator == peer
    state.withLock { $0.readings[reading.parameter] = isOwn ? nil : reading }
    if !isOwn { bell.yield() }
  }

  /// Values noted before may be of units that are gone.
  func note(rack: String) {
    state.withLock { state in
      state.change.rack = rack
      state.readings = [:]
    }
    bell.yield()
  }

  func note(_ learning: Learning) {
    state.withLock { state in
      state.change.learnings.removeAll { $0.to == learning.to }
      state.change.learnings.append(learning)
    }
    bell.yield()
  }

  /// Meters of one tick; they are passed on when the subscriber's interval is over, with the highest
  /// peaks since the last.
  func note(_ meters: RackMeters, at now: ContinuousClock.Instant) {
    guard let meterInterval else { return }
    let isDue = state.withLock { state in
      var meters = meters
      if let held = state.heldMeters { meters.keepPeaks(of: held) }
      // A tick may come a little early.
      guard now >= state.nextMeters - meterInterval / 8 else {
        state.heldMeters = meters
        return false
      }
      if let unread = state.change.meters { meters.keepPeaks(of: unread) }
      (state.change.meters, state.heldMeters) = (meters, nil)
      state.nextMeters = max(state.nextMeters + meterInterval, now)
      return true
    }
    if isDue { bell.yield() }
  }

  /// Removes and returns what has changed; nil if nothing has.
  func popChange() -> RackChange? {
    state.withLock { state in
      guard !state.isEmpty else { return nil }
      defer { (state.readings, state.change) = ([:], RackChange()) }
      state.change.readings = Array(state.readings.values)
      return state.change
    }
  }
}
