/// The functions that the unit's owner sets on a node. Each may be called from any thread, and all
/// but the value observer by several threads at a time.
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
/// Returns a value as text.
public typealias ImplementorStringFromValueCallback = @Sendable (Parameter, Float) -> String
/// Parses a value's text; throws if the text is not a value.
public typealias ImplementorValueFromStringCallback = @Sendable (Parameter, String) throws -> Float
/// Returns a node's name, shortened to the given number of characters.
public typealias ImplementorDisplayNameWithLengthCallback =
  @Sendable (any ParameterNode, Int) -> String

/// Each function serves the node and its descendants; a parameter uses its nearest ancestor's.
extension ParameterNode {
  public var implementorValueObserver: ImplementorValueObserver? {
    get { tree.callback(\.valueObserver, at: nodeIndex) }
    nonmutating set { tree.setCallback(\.valueObserver, at: nodeIndex, to: newValue) }
  }

  /// The function that provides values; without one, a parameter's value is the last one set.
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

  /// Returns the node's function, or that of its nearest ancestor.
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
