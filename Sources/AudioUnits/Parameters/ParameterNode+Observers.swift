/// Observers of a node receive the changes of every parameter at it and below it.
///
/// They are called on the tree's serial queue, soon after the change. An observer whose token was
/// given as originator does not receive that change. After `removeParameterObserver` has returned, no
/// call starts; a call that has started may still be running.
extension ParameterNode {
  /// Adds an observer of values.
  ///
  /// For one parameter, values come in the order in which they were set. Where they are set faster than
  /// observers return, values between are left out; the last one is always delivered.
  public func token(byAddingParameterObserver observer: @escaping ParameterObserver)
    -> ParameterObserverToken
  {
    tree.state.withLock { $0.add(.value(observer), at: nodeIndex) }
  }

  /// Adds an observer of everything that is set, with its time; nothing is left out.
  public func token(
    byAddingParameterRecordingObserver observer: @escaping ParameterRecordingObserver
  ) -> ParameterObserverToken {
    tree.state.withLock { $0.add(.recording(observer), at: nodeIndex) }
  }

  /// Adds an observer of every touch, value and release, with its time; nothing is left out.
  public func token(
    byAddingParameterAutomationObserver observer: @escaping ParameterAutomationObserver
  ) -> ParameterObserverToken {
    tree.state.withLock { $0.add(.automation(observer), at: nodeIndex) }
  }

  /// Removes an observer of any node of the tree; does nothing for an unknown token.
  public func removeParameterObserver(_ token: ParameterObserverToken) {
    tree.state.withLock { $0.remove(token) }
  }
}
