import AsyncSupport
import RackEngine
import RackModel

extension RackSession {
  /// Everything that changes from now on, for one reader.
  ///
  /// Events that follow each other within 20 ms come together, and of those about one thing only the last is
  /// kept until the reader asks. Ends when the reader's task is cancelled.
  ///
  /// - Parameters:
  ///   - peer: gets no values that it has set itself.
  ///   - rate: how often meters come, times a second; nil for no meters.
  public nonisolated func events(
    for peer: Peer? = nil, meters rate: Double? = nil
  ) -> AsyncStream<[any RackEvent]> {
    let subscription = feed.subscribe(peer, meters: rate)
    if rate != nil { feed.startMeters { [engine] in await engine.status(since: $0) } }
    let lifetime = Lifetime(subscription: subscription, feed: feed)
    return AsyncStream { [weak self] in
      while let events = await lifetime.subscription.next({ await self?.state }) {
        if !events.isEmpty { return events }
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
  let subscription: EventSubscription
  private let feed: EventFeed

  init(subscription: EventSubscription, feed: EventFeed) {
    (self.subscription, self.feed) = (subscription, feed)
  }

  deinit { feed.cancel(subscription) }
}

/// The events that a subscriber has not read yet.
final class EventSubscription: Sendable {
  let peer: Peer?
  /// Between two meters; nil for no meters.
  let meterInterval: Duration?
  private let wakeups: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let state: Guarded<State>

  private struct State: Sendable {
    var pending = PendingEvents()
    var watched: Set<WatchedSignal> = []
    var nextMeters: ContinuousClock.Instant
    /// Events within this time come together.
    var nextRead: ContinuousClock.Instant
    var sessionMayHaveChanged = false
    /// The session's state as it was sent last.
    var sent: SessionState?
  }

  init(_ peer: Peer?, meters rate: Double?) {
    self.peer = peer
    meterInterval = rate.map { .seconds(1 / $0) }
    (wakeups, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    state = Guarded(State(nextMeters: .now + (meterInterval ?? .zero), nextRead: .now))
  }

  /// - Parameter originator: who has set the values.
  func receive(_ event: any RackEvent, from originator: Peer?) {
    let isDue = state.withLock { state in
      switch event {
      case let values as ValuesChanged:
        state.sessionMayHaveChanged = true
        guard originator == nil || originator != peer else {
          state.pending.change(ValuesChanged.self) { $0.remove(values) }
          return true
        }
      case is RackReplaced: state.sessionMayHaveChanged = true
      case is RackMeters where meterInterval == nil: return false
      case var telemetry as TelemetryRead:
        guard telemetry.keep(state.watched) else { return false }
        state.pending.add(telemetry)
        return true
      default: break
      }
      state.pending.add(event)
      return !(event is RackMeters) || metersAreDue(state)
    }
    if isDue { waker.yield() }
  }

  /// A tick may come a little early.
  private func metersAreDue(_ state: State) -> Bool {
    .now >= state.nextMeters - (meterInterval ?? .zero) / 8
  }

  /// The session's state may be another now.
  func sessionMayHaveChanged() {
    state.withLock { $0.sessionMayHaveChanged = true }
    waker.yield()
  }

  /// What the subscriber watches.
  var watched: Set<WatchedSignal> { state.withLock(\.watched) }

  func watch(_ signals: Set<WatchedSignal>) {
    state.withLock { state in
      state.watched = signals
      state.pending.change(TelemetryRead.self) { $0.keep(signals) }
    }
  }

  /// Removes and returns the events as soon as there are any, with the session's state if that is another than
  /// the reader knows; nil if the task is cancelled.
  func next(_ present: () async -> SessionState?) async -> [any RackEvent]? {
    for await _ in wakeups {
      try? await Task.sleep(until: state.withLock(\.nextRead))
      let mayHaveChanged = state.withLock { state in
        defer { state.sessionMayHaveChanged = false }
        return state.sessionMayHaveChanged
      }
      let session = mayHaveChanged ? await present() : nil
      return state.withLock { state in
        if let session, session != state.sent {
          state.pending.add(session)
          state.sent = session
        }
        let sendsMeters = metersAreDue(state)
        if sendsMeters, let meterInterval, state.pending.contains(RackMeters.self) {
          state.nextMeters = max(state.nextMeters + meterInterval, .now)
        }
        state.nextRead = .now + .milliseconds(20)
        return state.pending.pop { $0 is RackMeters && !sendsMeters }
      }
    }
    return nil
  }
}
