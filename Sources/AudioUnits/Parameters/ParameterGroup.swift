/// A group of parameters and other groups.
public struct ParameterGroup: ParameterNode, Hashable {
  public let tree: ParameterTree
  public let nodeIndex: Int

  /// The groups and parameters directly in this group, in order.
  public var children: [any ParameterNode] { layoutNode.children.map { tree.node($0) } }

  /// The parameters in this group and in its subgroups, in order.
  public var allParameters: [Parameter] {
    layoutNode.parameters.map { Parameter(tree: tree, index: $0) }
  }
}
