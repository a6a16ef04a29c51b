import Yams

/// Turns a text into a tree, in time and memory in proportion to its size.
///
/// Aliases are refused before they can multiply (the "billion laughs"): anchors are first read as
/// tags, so that every alias is an undefined one and stops the parser where it stands.
struct YAMLReader {
  /// Deeper than any file of ours, and far from the end of the stack.
  static let maximumDepth = 16
  /// Equal keys are looked into one by one, each for the price of a parse: in files as people write
  /// them, not in files made to wear the parser down.
  private static let maximumDuplicateCount = 8
  private static let maximumDuplicateSize = 1 << 16

  let file: String
  private var source: SourceText
  private let isLarge: Bool
  private var diagnostics: DiagnosticCollector
  /// First of several equal keys, whose first letter has been changed to get past the parser.
  private var disguisedKeys: [SourcePosition: Unicode.Scalar] = [:]

  private init(text: String, file: String) {
    self.file = file
    source = SourceText(text)
    isLarge = text.utf8.count > Self.maximumDuplicateSize
    diagnostics = DiagnosticCollector(file: file)
  }

  /// The tree (nil: empty or not readable), and what is wrong with it.
  static func read(_ text: String, file: String) -> (YAMLValue?, [Diagnostic]) {
    var reader = YAMLReader(text: text, file: file)
    let value = reader.read()
    return (value, reader.diagnostics.diagnostics)
  }

  private mutating func read() -> YAMLValue? {
    let anchors = Set(source.possibleAnchors())
    if !anchors.isEmpty {
      let original = source
      for position in anchors { source[position] = "!" }
      guard let root = compose() else { return nil }
      let found = anchoredPositions(in: root, among: anchors)
      for position in found.sorted() {
        diagnostics.error(position, "anchors (&) and aliases (*) are not used here")
      }
      guard found.isEmpty else { return nil }
      source = original
      disguisedKeys = [:]
    }
    guard let root = compose() else { return nil }
    return value(of: root, depth: 1)
  }

  /// The document's root. Equal keys, at which the parser would stop, are disguised and found again
  /// when the tree is read.
  private mutating func compose() -> Node? {
    while true {
      do {
        // Every value stays a text here, so nothing need be resolved.
        return try Yams.Parser(yaml: source.text, resolver: .basic, encoding: .utf8).singleRoot()
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        let position = SourcePosition(line: context.mark.line, column: context.mark.column)
        guard disguise(keyAt: position, named: keys.first ?? "") else {
          diagnostics.error(position, "the key “\(keys.first ?? "")” is given more than once")
          return nil
        }
      } catch {
        diagnostics.error(YAMLProblem(error, source: source))
        return nil
      }
    }
  }

  private mutating func disguise(keyAt start: SourcePosition, named key: String) -> Bool {
    guard !isLarge, disguisedKeys.count < Self.maximumDuplicateCount else { return false }
    var position = start
    if let quote = source[position], quote == "\"" || quote == "'" { position.column += 1 }
    guard let letter = source[position], letter == key.unicodeScalars.first,
      let mask = Unicode.Scalar(0xE000 + UInt32(disguisedKeys.count))
    else { return false }
    disguisedKeys[start] = letter
    source[position] = mask
    return true
  }

  private func anchoredPositions(
    in root: Node, among anchors: Set<SourcePosition>
  ) -> [SourcePosition] {
    var found: [SourcePosition] = []
    var waiting = [root]
    while let node = waiting.popLast() {
      let position = position(of: node)
      if anchors.contains(position) { found.append(position) }
      switch node {
      case .sequence(let nodes): waiting += nodes
      case .mapping(let pairs): for pair in pairs { waiting += [pair.key, pair.value] }
      case .scalar, .alias: break
      }
    }
    return found
  }

  private func position(of node: Node) -> SourcePosition {
    SourcePosition(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  private mutating func value(of node: Node, depth: Int) -> YAMLValue? {
    let position = position(of: node)
    if depth > Self.maximumDepth {
      diagnostics.error(
        position, "nested more than \(Self.maximumDepth) deep, which no file here needs")
      return nil
    }
    switch node {
    case .scalar(let scalar):
      return YAMLValue(
        content: .scalar(scalar.string, isPlain: [.plain, .any].contains(scalar.style)),
        position: position)
    case .sequence(let nodes):
      var values: [YAMLValue] = []
      for node in nodes {
        guard let value = value(of: node, depth: depth + 1) else { return nil }
        values.append(value)
      }
      return YAMLValue(content: .sequence(values), position: position)
    case .mapping(let mapping):
      return pairs(of: mapping, depth: depth).map {
        YAMLValue(content: .mapping($0), position: position)
      }
    case .alias:
      diagnostics.error(position, "anchors (&) and aliases (*) are not used here")
      return nil
    }
  }

  private mutating func pairs(
    of mapping: Node.Mapping, depth: Int
  ) -> [(key: Located<String>, value: YAMLValue)]? {
    var pairs: [(key: Located<String>, value: YAMLValue)] = []
    var firstPositions: [String: SourcePosition] = [:]
    for (keyNode, valueNode) in mapping {
      let position = position(of: keyNode)
      guard case .scalar(let scalar) = keyNode else {
        diagnostics.error(position, "a key must be a word")
        continue
      }
      guard let value = value(of: valueNode, depth: depth + 1) else { return nil }
      let key =
        disguisedKeys[position].map { letter in
          String(String.UnicodeScalarView([letter] + scalar.string.unicodeScalars.dropFirst()))
        } ?? scalar.string
      if let first = firstPositions[key] {
        diagnostics.error(position, "“\(key)” is given twice, first on line \(first.line)")
        continue
      }
      firstPositions[key] = position
      pairs.append((Located(key, at: position), value))
    }
    return pairs
  }
}
