/// A parameter, a group of parameters, or the tree itself.
///
/// Parameters and groups are values that refer to their tree, and keep it.
public protocol ParameterNode: Sendable {
  var tree: ParameterTree { get }
  /// The node's place in the tree, from 0 (the tree itself) on.
  var nodeIndex: Int { get }
}

extension ParameterNode {
  /// Permanent, and unique among its siblings; "attack".
  public var identifier: String { layoutNode.identifier }

  /// The identifiers from the top down to this node; "filter.envelope.attack". Stored states use it.
  public var keyPath: String { layoutNode.keyPath }

  /// The name for people; "Attack".
  public var displayName: String { layoutNode.name }

  /// The name in about `length` characters.
  ///
  /// Without an `implementorDisplayNameWithLengthCallback`, the name is cut off.
  public func displayName(withLength length: Int) -> String {
    if let callback = tree.nearest(\.displayNameWithLength, to: nodeIndex) {
      return callback(self, length)
    }
    let cut = displayName.prefix(max(0, length))
    return String(cut.last == " " ? cut.dropLast() : cut)
  }

  /// The group that contains the node; nil for the tree.
  public var parent: ParameterGroup? {
    layoutNode.parent.map { ParameterGroup(tree: tree, nodeIndex: $0) }
  }

  var layoutNode: ParameterLayout.Node { tree.layout.nodes[nodeIndex] }
}
