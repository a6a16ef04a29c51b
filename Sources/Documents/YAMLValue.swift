/// A YAML document as a tree with positions; two are equal that say the same, wherever it stands.
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

extension YAMLValue: Equatable {
  package static func == (one: YAMLValue, other: YAMLValue) -> Bool {
    switch (one.content, other.content) {
    case (.scalar(let text, _), .scalar(let otherText, _)):
      text == otherText && one.isNull == other.isNull
    case (.sequence(let values), .sequence(let others)): values == others
    case (.mapping(let pairs), .mapping(let others)):
      pairs.elementsEqual(others) { $0.key.value == $1.key.value && $0.value == $1.value }
    default: false
    }
  }
}
