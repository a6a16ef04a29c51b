import Yams

extension YAMLValue {
  /// A text, quoted where it would otherwise mean something else.
  package static func text(_ text: String) -> YAMLValue {
    YAMLValue(content: .scalar(text, isPlain: false), position: nowhere)
  }

  /// A map in this order.
  package static func map(_ pairs: [(String, YAMLValue)]) -> YAMLValue {
    YAMLValue(
      content: .mapping(pairs.map { (Located($0.0, at: nowhere), $0.1) }), position: nowhere)
  }

  package static func list(_ values: [YAMLValue]) -> YAMLValue {
    YAMLValue(content: .sequence(values), position: nowhere)
  }

  /// The value as a document of its own, which reads back as the same tree.
  package func written() throws -> String {
    try Yams.serialize(node: node, width: 100, allowUnicode: true)
  }

  /// Of what stands in no file.
  package static let nowhere = SourcePosition(line: 0, column: 0)

  private var node: Node {
    switch content {
    case .scalar(let text, let isPlain):
      let means = ["", "~", "null"].contains(text)
      return .scalar(
        Node.Scalar(text, Tag(.implicit), isPlain || !means ? .any : .doubleQuoted))
    case .sequence(let values): return .sequence(Node.Sequence(values.map(\.node)))
    case .mapping(let pairs):
      return .mapping(
        Node.Mapping(pairs.map { (YAMLValue.text($0.key.value).node, $0.value.node) }))
    }
  }
}
