/// Parameters and groups that belong together.
public struct ParameterGroup: ParameterNode, Hashable {
  public let tree: ParameterTree
  public let nodeIndex: Int

  /// Groups and parameters right in this one, in order.
  public var children: [any ParameterNode] { layoutNode.children.map { tree.node($0) } }

  /// The parameters in this group and in those inside it, in order.
  public var allParameters: [Parameter] {
    layoutNode.parameters.map { Parameter(tree: tree, index: $0) }
  }
}
