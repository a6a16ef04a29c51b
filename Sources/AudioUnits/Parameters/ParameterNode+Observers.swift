/// Observers of a node are told of every parameter at it and below it.
///
/// All are called on the tree's serial queue, soon after the change. An observer whose token was
/// given as originator is not told of that change. Once `removeParameterObserver` has returned no
/// call begins; one that has begun on the tree's queue may still be at work.
extension ParameterNode {
  /// Adds an observer of values.
  ///
  /// For one parameter, values come in the order in which they were set. Where they are set faster
  /// than observers are done, those between are left out; the last one always comes. So a storm of
  /// changes costs at most one call for each parameter and turn.
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

  /// Removes an observer of any node of the tree; does nothing where it is not there.
  public func removeParameterObserver(_ token: ParameterObserverToken) {
    tree.state.withLock { $0.remove(token) }
  }
}
