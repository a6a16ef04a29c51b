import Glibc

extension ParameterTree {
  /// Stores a value, takes it to the implementor and has it delivered to the observers.
  func set(
    _ index: Int, to value: Float, originator: ParameterObserverToken?, hostTime: UInt64?,
    eventType: ParameterAutomationEventType
  ) {
    let row = layout.rows[index]
    var (observer, shouldDeliver) = state.withLock { state in
      // Stored under the lock, so that what is told last is what is stored.
      values[index].store(value)
      state.note(changeOf: index, by: originator)
      if state.wantsEvents {
        let event = ParameterAutomationEvent(
          hostTime: hostTime ?? Self.hostTime, address: row.address, value: value,
          eventType: eventType)
        state.note(
          ParameterTreeState.QueuedEvent(parameter: index, event: event, originator: originator))
      }
      return (beginSending(index, in: &state), state.beginDelivery())
    }
    if shouldDeliver { deliveryQueue.async { self.deliver() } }
    var value = value
    while let send = observer {
      send(Parameter(tree: self, index: index), value)
      (observer, value) = state.withLock { state in
        let wasSetAgain = state.sending.removeValue(forKey: index) == true
        return (wasSetAgain ? beginSending(index, in: &state) : nil, values[index].load())
      }
    }
  }

  /// Who takes the value to the unit; nil where there is nobody, or another thread is at it and will
  /// see to this value too.
  private func beginSending(
    _ index: Int, in state: inout ParameterTreeState
  ) -> ImplementorValueObserver? {
    if state.sending[index] != nil {
      state.sending[index] = true
      return nil
    }
    let observer = nearest(\.valueObserver, to: layout.rows[index].node, in: state)
    if observer != nil { state.sending[index] = false }
    return observer
  }

  /// Tells the observers, until there is nothing left to tell. On the delivery queue.
  private func deliver() {
    while let work = state.withLock({ $0.takeWork() }) {
      for index in work.changed { deliverChange(of: index) }
      if !work.events.isEmpty { deliver(work.events) }
    }
  }

  private func deliverChange(of index: Int) {
    let (value, tokens) = state.withLock { state in
      let originator = state.takeOriginator(of: index)
      var tokens: [ParameterObserverToken] = []
      var next: Int? = layout.rows[index].node
      while let node = next {
        tokens += state.valueTokens[node] ?? []
        next = layout.nodes[node].parent
      }
      return (values[index].load(), tokens.filter { $0 != originator })
    }
    for token in tokens {
      // Looked up right before the call: it may have been removed.
      let registration = state.withLock { $0.registrations[token] }
      if case .value(let observer) = registration?.observer {
        observer(Parameter(tree: self, index: index), value)
      }
    }
  }

  private func deliver(_ events: [ParameterTreeState.QueuedEvent]) {
    for token in state.withLock({ $0.eventTokens }) {
      guard let registration = state.withLock({ $0.registrations[token] }) else { continue }
      let parameters = layout.nodes[registration.node].parameters
      let concerned = events.filter {
        parameters.contains($0.parameter) && $0.originator != token
      }.map(\.event)
      if concerned.isEmpty { continue }
      switch registration.observer {
      case .value: break
      case .automation(let observer): observer(concerned)
      case .recording(let observer):
        observer(
          concerned.map {
            RecordedParameterEvent(hostTime: $0.hostTime, address: $0.address, value: $0.value)
          })
      }
    }
  }

  /// Now, in nanoseconds of CLOCK_MONOTONIC.
  private static var hostTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
