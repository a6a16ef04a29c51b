/// A YAML document as a tree with positions, which do not count in comparisons.
package struct YAMLValue: Sendable {
  package enum Content: Sendable {
    /// `isPlain`: not quoted, so that an empty text or `null` means no value.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLValue])
    case mapping([YAMLPair])
  }

  package var content: Content
  package var position: SourcePosition
  /// The range of its characters (Unicode scalars) in the file, without space or comments at either
  /// end; empty if nothing is written.
  var range = 0..<0
  /// Whether it is a map or a list in braces or brackets.
  var isFlow = false
  /// Whether it is a text written literally: on one line and without escapes.
  var isAsWritten = false

  package init(content: Content, position: SourcePosition) {
    (self.content, self.position) = (content, position)
  }

  /// Whether nothing was written here.
  package var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { return ["", "~", "null"].contains(text) }
    return false
  }

  /// The written value, for messages.
  package var kind: String {
    switch content {
    case .scalar where isNull: "nothing"
    case .scalar(let text, _): "“\(text.prefix(40))”"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }

  /// Returns the position of a character of a text; the text's start if the text is written over
  /// several lines or with escapes.
  package func position(ofCharacter offset: Int) -> SourcePosition {
    guard isAsWritten, case .scalar(_, let isPlain) = content else { return position }
    return SourcePosition(
      line: position.line, column: position.column + offset + (isPlain ? 0 : 1))
  }
}

/// A map's key and its value.
package struct YAMLPair: Sendable {
  package var key: Located<String>
  /// The range of the key's characters in its file.
  var keyRange = 0..<0
  package var value: YAMLValue
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

// MARK: - New values

extension YAMLValue {
  /// Creates a text, quoted if it would otherwise have another meaning.
  package static func text(_ text: String) -> YAMLValue {
    YAMLValue(content: .scalar(text, isPlain: false), position: .nowhere)
  }

  /// Creates a map in this order.
  package static func map(_ pairs: [(String, YAMLValue)]) -> YAMLValue {
    YAMLValue(
      content: .mapping(pairs.map { YAMLPair(key: Located($0.0), value: $0.1) }),
      position: .nowhere)
  }

  package static func list(_ values: [YAMLValue]) -> YAMLValue {
    YAMLValue(content: .sequence(values), position: .nowhere)
  }

  /// The value as a document of its own, which parses to the same tree.
  package var written: String { YAMLStyle().document(of: self) }
}
