import Glibc

extension ParameterTree {
  /// Stores a value, sends it to the implementor and delivers it to the observers.
  func set(
    _ index: Int, to value: Float, originator: ParameterObserverToken?, hostTime: UInt64?,
    eventType: ParameterAutomationEventType, informsImplementor: Bool = true
  ) {
    let row = layout.rows[index]
    var (observer, shouldDeliver) = state.withLock { state in
      // Stored under the lock, so that observers are told the stored value last.
      values[index].store(value)
      state.note(changeOf: index, by: originator)
      if state.wantsEvents {
        let event = ParameterAutomationEvent(
          hostTime: hostTime ?? Self.hostTime, address: row.address, value: value,
          eventType: eventType)
        state.note(
          ParameterTreeState.QueuedEvent(parameter: index, event: event, originator: originator))
      }
      let observer = informsImplementor ? startSending(index, value, in: &state) : nil
      return (observer, state.startDelivery())
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

  /// The implementor's observer that the caller is to call with the value; nil where there is none, or
  /// where another thread is calling it and will go on with this value.
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

  /// Calls the observers until every change is delivered. On the delivery queue.
  private func deliver() {
    while let work = state.withLock({ $0.nextWork() }) {
      for index in work.changed { deliverChange(of: index) }
      if !work.events.isEmpty { deliver(work.events) }
    }
  }

  private func deliverChange(of index: Int) {
    let (value, tokens) = state.withLock { state in
      let originator = state.endChange(of: index)
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
