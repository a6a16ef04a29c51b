/// The functions that the unit's owner gives a node. Each may be called from any thread, and all but
/// the value observer several at a time.
struct ImplementorCallbacks: Sendable {
  var valueObserver: ImplementorValueObserver?
  var valueProvider: ImplementorValueProvider?
  var stringFromValue: ImplementorStringFromValueCallback?
  var valueFromString: ImplementorValueFromStringCallback?
  var displayNameWithLength: ImplementorDisplayNameWithLengthCallback?
}

/// Sends a new value to the unit.
public typealias ImplementorValueObserver = @Sendable (Parameter, Float) -> Void
/// Asks the unit for a parameter's value.
public typealias ImplementorValueProvider = @Sendable (Parameter) -> Float
/// The text of a value.
public typealias ImplementorStringFromValueCallback = @Sendable (Parameter, Float) -> String
/// The value of a text; throws where the text is not a value.
public typealias ImplementorValueFromStringCallback = @Sendable (Parameter, String) throws -> Float
/// A node's name in so many characters.
public typealias ImplementorDisplayNameWithLengthCallback =
  @Sendable (any ParameterNode, Int) -> String

/// Each function serves the node and the nodes below it; the nearest one on the way up counts.
extension ParameterNode {
  public var implementorValueObserver: ImplementorValueObserver? {
    get { tree.callback(\.valueObserver, at: nodeIndex) }
    nonmutating set { tree.setCallback(\.valueObserver, at: nodeIndex, to: newValue) }
  }

  /// Without a provider, a parameter's value is the one that was set last.
  public var implementorValueProvider: ImplementorValueProvider? {
    get { tree.callback(\.valueProvider, at: nodeIndex) }
    nonmutating set { tree.setCallback(\.valueProvider, at: nodeIndex, to: newValue) }
  }

  public var implementorStringFromValueCallback: ImplementorStringFromValueCallback? {
    get { tree.callback(\.stringFromValue, at: nodeIndex) }
    nonmutating set { tree.setCallback(\.stringFromValue, at: nodeIndex, to: newValue) }
  }

  public var implementorValueFromStringCallback: ImplementorValueFromStringCallback? {
    get { tree.callback(\.valueFromString, at: nodeIndex) }
    nonmutating set { tree.setCallback(\.valueFromString, at: nodeIndex, to: newValue) }
  }

  public var implementorDisplayNameWithLengthCallback: ImplementorDisplayNameWithLengthCallback? {
    get { tree.callback(\.displayNameWithLength, at: nodeIndex) }
    nonmutating set { tree.setCallback(\.displayNameWithLength, at: nodeIndex, to: newValue) }
  }
}

extension ParameterTree {
  typealias CallbackPath<Callback> = WritableKeyPath<ImplementorCallbacks, Callback?> & Sendable

  func callback<Callback: Sendable>(_ path: CallbackPath<Callback>, at node: Int) -> Callback? {
    state.withLock { $0.callbacks[node]?[keyPath: path] }
  }

  func setCallback<Callback: Sendable>(
    _ path: CallbackPath<Callback>, at node: Int, to callback: Callback?
  ) {
    state.withLock { state in
      state.callbacks[node, default: ImplementorCallbacks()][keyPath: path] = callback
      let hasProvider = state.callbacks.values.contains { $0.valueProvider != nil }
      hasValueProvider.store(hasProvider, ordering: .releasing)
    }
  }

  /// The node's function, or the nearest one on the way up.
  func nearest<Callback: Sendable>(_ path: CallbackPath<Callback>, to node: Int) -> Callback? {
    state.withLock { state in nearest(path, to: node, in: state) }
  }

  func nearest<Callback>(
    _ path: CallbackPath<Callback>, to node: Int, in state: borrowing ParameterTreeState
  ) -> Callback? {
    if state.callbacks.isEmpty { return nil }
    var next: Int? = node
    while let node = next {
      if let callback = state.callbacks[node]?[keyPath: path] { return callback }
      next = layout.nodes[node].parent
    }
    return nil
  }
}
