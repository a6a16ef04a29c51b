/// A parameter, a group of parameters, or the tree itself.
///
/// Parameters and groups are values that hold a strong reference to their tree.
public protocol ParameterNode: Sendable {
  var tree: ParameterTree { get }
  /// The node's index in the tree; 0 is the tree itself.
  var nodeIndex: Int { get }
}

extension ParameterNode {
  /// The permanent identifier, unique among the node's siblings; "attack".
  public var identifier: String { layoutNode.identifier }

  /// The identifiers from the root to this node; "filter.envelope.attack". Stored states use it.
  public var keyPath: String { layoutNode.keyPath }

  /// The display name; "Attack".
  public var displayName: String { layoutNode.name }

  /// Returns the name in about `length` characters.
  ///
  /// Without an `implementorDisplayNameWithLengthCallback`, the name is truncated.
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
