/// Observers of a node receive the changes of every parameter at or below it.
///
/// They are called on the tree's serial queue, soon after the change. An observer whose token was
/// given as originator does not receive that change. After `removeParameterObserver` returns, no new
/// call starts; a call in progress may still be running.
extension ParameterNode {
  /// Adds an observer of values.
  ///
  /// Values of one parameter arrive in the order in which they were set. If they are set faster than
  /// observers return, intermediate values are left out; the last one is always delivered.
  public func token(byAddingParameterObserver observer: @escaping ParameterObserver)
    -> ParameterObserverToken
  {
    let token = ParameterObserverToken(node: nodeIndex)
    tree.state.withLock { $0.valueObservers[nodeIndex, default: [:]][token] = observer }
    return token
  }

  /// Adds an observer of every value set, with its time; nothing is left out.
  public func token(
    byAddingParameterRecordingObserver observer: @escaping ParameterRecordingObserver
  ) -> ParameterObserverToken {
    token(byAddingParameterAutomationObserver: { events in
      observer(
        events.map {
          RecordedParameterEvent(hostTime: $0.hostTime, address: $0.address, value: $0.value)
        })
    })
  }

  /// Adds an observer of every touch, value and release, with its time; nothing is left out.
  public func token(
    byAddingParameterAutomationObserver observer: @escaping ParameterAutomationObserver
  ) -> ParameterObserverToken {
    let token = ParameterObserverToken(node: nodeIndex)
    tree.state.withLock { $0.eventObservers[token] = observer }
    return token
  }

  /// Removes an observer of any node of the tree; does nothing for an unknown token.
  public func removeParameterObserver(_ token: ParameterObserverToken) {
    tree.state.withLock { state in
      state.eventObservers[token] = nil
      state.valueObservers[token.node]?[token] = nil
      if state.valueObservers[token.node]?.isEmpty == true {
        state.valueObservers[token.node] = nil
      }
    }
  }
}
