import Glibc

/// The mutable state of a tree, guarded by its lock.
struct ParameterTreeState: Sendable {
  /// The implementor's functions by node index.
  var callbacks: [Int: ImplementorCallbacks] = [:]
  /// The parameters for which a thread is calling the implementor, each with the value set in the
  /// meantime, if any.
  var sending: [Int: Float?] = [:]

  /// The observers by node index.
  var valueObservers: [Int: [ParameterObserverToken: ParameterObserver]] = [:]
  var eventObservers: [ParameterObserverToken: ParameterAutomationObserver] = [:]

  struct QueuedEvent: Sendable {
    let parameter: Int
    let event: ParameterAutomationEvent
    let originator: ParameterObserverToken?
  }

  /// Parameters whose change has not reached the value observers yet, each with the originator of its
  /// last change.
  fileprivate var changed = PendingValues<Int, ParameterObserverToken?>()
  fileprivate var events: [QueuedEvent] = []
  /// Whether a delivery is running or scheduled.
  fileprivate var isDelivering = false
}

extension ParameterTree {
  /// Whether any observer is registered.
  var hasObservers: Bool {
    state.withLock { !$0.valueObservers.isEmpty || !$0.eventObservers.isEmpty }
  }

  /// Stores a value, sends it to the implementor and notifies the observers.
  func set(
    _ index: Int, to value: Float, originator: ParameterObserverToken?, hostTime: UInt64?,
    eventType: ParameterAutomationEventType, informsImplementor: Bool = true
  ) {
    var (observer, shouldDeliver) = state.withLock { state in
      // Stored under the lock, so that observers receive the stored value last.
      values[index].store(value)
      if !state.valueObservers.isEmpty { state.changed.add(originator, of: index) }
      if !state.eventObservers.isEmpty {
        let event = ParameterAutomationEvent(
          hostTime: hostTime ?? Self.hostTime, address: layout.rows[index].address, value: value,
          eventType: eventType)
        state.events.append(.init(parameter: index, event: event, originator: originator))
      }
      let shouldDeliver =
        !state.isDelivering && !(state.changed.isEmpty && state.events.isEmpty)
      if shouldDeliver { state.isDelivering = true }
      return (informsImplementor ? startSending(index, value, in: &state) : nil, shouldDeliver)
    }
    if shouldDeliver { deliveryQueue.async { self.deliver() } }
    var value = value
    while let send = observer {
      send(Parameter(tree: self, index: index), value)
      (observer, value) = state.withLock { state in
        guard let next = state.sending.removeValue(forKey: index) ?? nil else { return (nil, 0) }
        return (startSending(index, next, in: &state), next)
      }
    }
  }

  /// Returns the implementor's observer for the caller to call with the value; nil if there is none,
  /// or if another thread is calling it and will continue with this value.
  private func startSending(
    _ index: Int, _ value: Float, in state: inout ParameterTreeState
  ) -> ImplementorValueObserver? {
    if state.sending[index] != nil {
      state.sending.updateValue(value, forKey: index)
      return nil
    }
    let observer = nearest(\.valueObserver, to: layout.rows[index].node, in: state)
    if observer != nil { state.sending.updateValue(nil, forKey: index) }
    return observer
  }

  /// Calls the observers until every change is delivered; runs on the delivery queue.
  private func deliver() {
    while true {
      let (change, events, eventTokens) = state.withLock { state in
        let change = state.changed.popFirst().map { index, originator in
          (index, values[index].load(), valueTokens(of: index, in: state, except: originator))
        }
        let events = state.events
        state.events = []
        state.isDelivering = change != nil || !events.isEmpty
        return (change, events, events.isEmpty ? [] : Array(state.eventObservers.keys))
      }
      if let (index, value, tokens) = change {
        for token in tokens {
          // Look the observer up right before the call: it may have been removed.
          let observer = state.withLock { $0.valueObservers[token.node]?[token] }
          observer?(Parameter(tree: self, index: index), value)
        }
      } else if events.isEmpty {
        return
      }
      for token in eventTokens.sorted(by: { $0.number < $1.number }) {
        let parameters = layout.nodes[token.node].parameters
        let observed = events.filter {
          parameters.contains($0.parameter) && $0.originator != token
        }
        guard !observed.isEmpty else { continue }
        state.withLock { $0.eventObservers[token] }?(observed.map(\.event))
      }
    }
  }

  /// The observers of a parameter and of the groups that contain it.
  private func valueTokens(
    of index: Int, in state: ParameterTreeState, except originator: ParameterObserverToken?
  ) -> [ParameterObserverToken] {
    sequence(first: layout.rows[index].node) { self.layout.nodes[$0].parent }.flatMap { node in
      (state.valueObservers[node] ?? [:]).keys.filter { $0 != originator }
        .sorted { $0.number < $1.number }
    }
  }

  /// The current time, nanoseconds of CLOCK_MONOTONIC.
  private static var hostTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
