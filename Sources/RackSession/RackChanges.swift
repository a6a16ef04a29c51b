import AsyncSupport
import AudioUnits
import RackEngine
import RackModel

/// The changes since a subscriber last read.
public struct RackChange: Sendable {
  /// The last value of each parameter that changed, in no order.
  public var readings: [ParameterReading] = []
  /// The rack's name, if other units, cables or presets play now.
  public var rack: String?
  /// The rack's name, if boxes of its graph have moved.
  public var layout: String?
  /// The last state of each learning, in their order.
  public var learnings: [Learning] = []
  public var meters: RackMeters?
  /// If it has changed.
  public var state: SessionState?
  /// What has happened, the oldest first.
  public var log: [LogEntry] = []
  /// The last reading of each watched signal, in no order.
  public var telemetry: [TelemetryReading] = []

  var isEmpty: Bool {
    readings.isEmpty && rack == nil && layout == nil && learnings.isEmpty && meters == nil
      && state == nil && log.isEmpty && telemetry.isEmpty
  }
}

/// The state of a MIDI learn.
public struct Learning: Sendable, Codable, Equatable {
  /// The target of the control: `echo.mix`.
  public var to: String
  /// The command that was carried out: `map keys cc 7 channel 1 to echo.mix`; nil while it waits for a
  /// control.
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

extension RackSession {
  /// Everything that changes from now on, for one reader.
  ///
  /// Only the last value of each parameter is kept until the reader asks; changes that follow each other
  /// within 20 ms come together. Ends when the reader's task is cancelled.
  ///
  /// - Parameters:
  ///   - peer: gets no values that it has set itself.
  ///   - rate: how often meters come, times a second; nil for no meters.
  public nonisolated func changes(
    for peer: Peer? = nil, meters rate: Double? = nil
  ) -> AsyncStream<RackChange> {
    let subscription = feed.subscribe(peer, meters: rate)
    if rate != nil { feed.startMeters { [engine] in await engine.status(since: $0) } }
    let lifetime = Lifetime(subscription: subscription, feed: feed)
    return AsyncStream { [weak self] in
      while var change = await lifetime.subscription.next() {
        if lifetime.subscription.stateMayHaveChanged() {
          change.state = (await self?.state).flatMap(lifetime.subscription.news)
        }
        if !change.isEmpty { return change }
      }
      return nil
    }
  }

  /// Rises with every change that could be saved.
  public nonisolated var revision: Int { feed.revision }

  /// Rises whenever other units, cables or presets play.
  package nonisolated var structureGeneration: Int { feed.structureGeneration }
}

/// Cancels a subscription with its stream.
private final class Lifetime: Sendable {
  let subscription: ChangeSubscription
  private let feed: ChangeFeed

  init(subscription: ChangeSubscription, feed: ChangeFeed) {
    (self.subscription, self.feed) = (subscription, feed)
  }

  deinit { feed.cancel(subscription) }
}

/// The changes that a subscriber has not read yet.
final class ChangeSubscription: Sendable {
  let peer: Peer?
  /// Between two meters; nil for no meters.
  let meterInterval: Duration?
  private let news: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let state: Guarded<State>

  private struct State: Sendable {
    var readings: [String: ParameterReading] = [:]
    var watched: Set<WatchedSignal> = []
    var telemetry: [WatchedSignal: TelemetryReading] = [:]
    var change = RackChange()
    var heldMeters: RackMeters?
    var nextMeters: ContinuousClock.Instant
    /// Changes within this time come together.
    var nextChange: ContinuousClock.Instant
    var stateMayHaveChanged = false
    /// As it was told last.
    var told: SessionState?
    var isEmpty: Bool {
      readings.isEmpty && telemetry.isEmpty && change.isEmpty && !stateMayHaveChanged
    }
  }

  /// Entries of the log that wait for a reader; older ones are left out.
  private static let longestLog = 50

  init(_ peer: Peer?, meters rate: Double?) {
    self.peer = peer
    meterInterval = rate.map { .seconds(1 / $0) }
    (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    state = Guarded(State(nextMeters: .now + (meterInterval ?? .zero), nextChange: .now))
  }

  func note(_ reading: ParameterReading, by originator: Peer?) {
    let isOwn = originator != nil && originator == peer
    state.withLock {
      $0.readings[reading.parameter] = isOwn ? nil : reading
      $0.stateMayHaveChanged = true
    }
    bell.yield()
  }

  /// What the subscriber watches.
  var watched: Set<WatchedSignal> { state.withLock(\.watched) }

  func watch(_ signals: Set<WatchedSignal>) {
    state.withLock { state in
      state.watched = signals
      state.telemetry = state.telemetry.filter { signals.contains($0.key) }
    }
  }

  func note(_ reading: TelemetryReading, of signal: WatchedSignal) {
    let isWatched = state.withLock { state in
      guard state.watched.contains(signal) else { return false }
      state.telemetry[signal] = reading
      return true
    }
    if isWatched { bell.yield() }
  }

  func noteState() {
    state.withLock { $0.stateMayHaveChanged = true }
    bell.yield()
  }

  func note(_ entry: LogEntry) {
    state.withLock { state in
      state.change.log.append(entry)
      if state.change.log.count > Self.longestLog { state.change.log.removeFirst() }
    }
    bell.yield()
  }

  /// Whether the session's state may have changed since this was last asked.
  func stateMayHaveChanged() -> Bool {
    state.withLock { state in
      defer { state.stateMayHaveChanged = false }
      return state.stateMayHaveChanged
    }
  }

  /// The state, if the reader has not been told of it.
  func news(of present: SessionState) -> SessionState? {
    state.withLock { state in
      defer { state.told = present }
      return state.told == present ? nil : present
    }
  }

  /// Values noted before may be of units that are gone.
  func note(rack: String) {
    state.withLock { state in
      state.change.rack = rack
      state.readings = [:]
      state.stateMayHaveChanged = true
    }
    bell.yield()
  }

  func note(layout rack: String) {
    state.withLock { $0.change.layout = rack }
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

  /// Removes and returns the changes as soon as there are any; nil if the task is cancelled.
  func next() async -> RackChange? {
    for await _ in news {
      try? await Task.sleep(until: state.withLock(\.nextChange))
      if let change = popChange() { return change }
    }
    return nil
  }

  private func popChange() -> RackChange? {
    state.withLock { state in
      guard !state.isEmpty else { return nil }
      defer { (state.readings, state.telemetry, state.change) = ([:], [:], RackChange()) }
      state.change.readings = Array(state.readings.values)
      state.change.telemetry = Array(state.telemetry.values)
      state.nextChange = .now + .milliseconds(20)
      return state.change
    }
  }
}
