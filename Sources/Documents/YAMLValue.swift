/// A YAML document as a tree with positions.
package struct YAMLValue: Sendable {
  package enum Content: Sendable {
    /// `isPlain`: not quoted, so that an empty text or `null` means nothing at all.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLValue])
    case mapping([(key: Located<String>, value: YAMLValue)])
  }

  package var content: Content
  package var position: SourcePosition

  /// Nothing was written here.
  package var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { return ["", "~", "null"].contains(text) }
    return false
  }

  /// For messages: what was written.
  package var kind: String {
    switch content {
    case .scalar where isNull: "nothing"
    case .scalar(let text, _): "“\(text.prefix(40))”"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }
}
