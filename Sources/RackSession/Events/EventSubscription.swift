import AsyncSupport
import RackEngine
import RackModel

extension RackSession {
  /// Returns the further events of the session, for one reader.
  ///
  /// Events within 20 ms are delivered together. Unread events with the same key are merged. The stream ends when
  /// the reader's task is cancelled.
  ///
  /// - Parameters:
  ///   - peer: the peer that reads, which gets no values that it has set itself.
  ///   - rate: the rate of meters, in Hz; nil for no meters.
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

  /// The number of changes of values and of the rack so far.
  public nonisolated var revision: Int { feed.revision }

  /// The number of changes of units, cables and presets so far.
  package nonisolated var structureGeneration: Int { feed.structureGeneration }
}

/// The owner of a subscription, which cancels it when the stream is released.
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
  /// The interval between two meters; nil for no meters.
  let meterInterval: Duration?
  private let wakeups: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let state: Guarded<State>

  private struct State: Sendable {
    var pending = PendingEvents()
    var watched: Set<WatchedSignal> = []
    var nextMeters: ContinuousClock.Instant
    /// The time of the next delivery, until which events are collected.
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

  /// Adds an event, and wakes the reader if the event is due.
  ///
  /// - Parameter originator: the peer that has set the values; nil for other events.
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

  /// Whether meters are due; a tick may come early by an eighth of the interval.
  private func metersAreDue(_ state: State) -> Bool {
    .now >= state.nextMeters - (meterInterval ?? .zero) / 8
  }

  /// Has the reader compare the session's state with the state sent last.
  func sessionMayHaveChanged() {
    state.withLock { $0.sessionMayHaveChanged = true }
    waker.yield()
  }

  /// The signals that the subscriber watches.
  var watched: Set<WatchedSignal> { state.withLock(\.watched) }

  func watch(_ signals: Set<WatchedSignal>) {
    state.withLock { state in
      state.watched = signals
      state.pending.change(TelemetryRead.self) { $0.keep(signals) }
    }
  }

  /// Waits for events, and removes and returns them, with the session's state if that differs from the state sent
  /// last; nil if the task is cancelled.
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
