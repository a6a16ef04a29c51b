import AsyncSupport
import Dispatch
import Synchronization
import UnitModel

/// A unit's parameters, in nested groups; usable from any thread, and without a unit.
///
/// The nodes of a tree never change; only values, observers and the implementor's functions do.
///
/// Threads:
/// - A value is read without a lock, unless there is an `implementorValueProvider`.
/// - Setting a value locks the tree briefly. The lock is never held while a client's function is
///   called. Neither reading nor setting is for the render thread.
/// - `implementorValueObserver` is called before `setValue` returns, on its thread. If another
///   thread is calling it for the same parameter, that thread then calls it with the new value:
///   calls for one parameter never overlap, come in order, and the last value always arrives.
/// - Observers are called on the tree's own serial queue, one call at a time. They may set values
///   and add and remove observers.
public final class ParameterTree: ParameterNode {
  let layout: ParameterLayout
  let values: [ParameterValue]
  let state = Guarded(ParameterTreeState())
  /// Whether any node has an `implementorValueProvider`.
  let hasValueProvider = Atomic<Bool>(false)
  let deliveryQueue = DispatchQueue(label: "backline.parameter-tree", qos: .userInitiated)

  public var tree: ParameterTree { self }
  public var nodeIndex: Int { 0 }

  /// Creates a tree of these nodes, every parameter at its default.
  ///
  /// - Throws: if a key path or an address occurs twice, or an identifier or a range is invalid.
  public convenience init(
    children: [ParameterDefinition], name: String = ""
  ) throws(ParameterTreeError) {
    let layout = ParameterLayout(children, name: name)
    if let problem = layout.problem { throw problem }
    self.init(layout)
  }

  /// Creates a tree from a layout; if two nodes share a key path, lookups find the first.
  init(_ layout: ParameterLayout) {
    self.layout = layout
    values = layout.rows.map { ParameterValue($0.info.defaultValue) }
  }

  /// The group that contains all others.
  public var root: ParameterGroup { ParameterGroup(tree: self, nodeIndex: 0) }
  public var children: [any ParameterNode] { root.children }
  /// Every parameter, in order.
  public var allParameters: [Parameter] { root.allParameters }

  /// Returns the node at a key path; `filter.envelope`.
  public func node(atKeyPath keyPath: String) -> (any ParameterNode)? {
    layout.nodeByKeyPath[keyPath].map { node($0) }
  }

  /// Returns the parameter at a key path; `filter.envelope.attack`, `2.gain`.
  public func parameter(atKeyPath keyPath: String) -> Parameter? {
    node(atKeyPath: keyPath) as? Parameter
  }

  public func parameter(withAddress address: UInt64) -> Parameter? {
    layout.rowByAddress[address].map { Parameter(tree: self, index: $0) }
  }

  /// Returns the parameters that a view with room for `count` should show, the most useful first.
  ///
  /// Parameters with an overview rank come first, in order of rank; then the others in the tree's
  /// order, meters last.
  public func parametersForOverview(count: Int) -> [Parameter] {
    func rank(_ parameter: Parameter) -> Int {
      if let rank = parameter.info.overviewRank { return rank }
      return parameter.flags.contains(.writable) ? Int.max - 1 : Int.max
    }
    let ranked = allParameters.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    return ranked.prefix(max(0, count)).map(\.element)
  }

  func node(_ index: Int) -> any ParameterNode {
    if index == 0 { return self }
    let node = layout.nodes[index]
    if !node.parameters.isEmpty, layout.rows[node.parameters.lowerBound].node == index {
      return Parameter(tree: self, index: node.parameters.lowerBound)
    }
    return ParameterGroup(tree: self, nodeIndex: index)
  }
}

extension ParameterTree: Hashable {
  public static func == (left: ParameterTree, right: ParameterTree) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A parameter's value, read without a lock.
final class ParameterValue: Sendable {
  private let bits: Atomic<UInt32>

  init(_ value: Float) {
    bits = Atomic(value.bitPattern)
  }

  func load() -> Float { Float(bitPattern: bits.load(ordering: .relaxed)) }

  func store(_ value: Float) { bits.store(value.bitPattern, ordering: .relaxed) }
}
