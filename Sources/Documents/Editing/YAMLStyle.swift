/// The style of a YAML text (indentation, spacing and quotes), for entries that are added to it.
struct YAMLStyle {
  private var text = YAMLText("")
  /// The number of columns by which a block is indented below its key.
  private var step = 2
  /// Whether all words are in quotes, as in JSON.
  private var isQuoted = false
  /// The space within braces.
  private var inBraces = " "
  private var inBrackets = ""
  /// Whether a key's map or list is written in braces or brackets, by key.
  private var flowByKey: [String: Bool] = [:]

  /// Creates the style of a new document.
  init() {}

  /// Derives the style of `text`, whose tree is `root`.
  init(text: YAMLText, root: YAMLValue) {
    self.text = text
    var steps: [Int] = []
    var braces: [Unicode.Scalar: String] = [:]
    func look(at value: YAMLValue) {
      if value.isFlow, let first = text[value.range.lowerBound], braces[first] == nil,
        let next = text[value.range.lowerBound + 1], next != "]", next != "}"
      {
        braces[first] = YAMLText.isBlank(next) ? " " : ""
      }
      switch value.content {
      case .scalar: break
      case .sequence(let items): for item in items { look(at: item) }
      case .mapping(let pairs):
        for pair in pairs {
          if pair.value.isCollection {
            flowByKey[pair.key.value] = pair.value.isFlow
            if case .mapping = pair.value.content, !pair.value.isFlow {
              steps.append(
                text.column(of: pair.value.range.lowerBound)
                  - text.column(of: pair.keyRange.lowerBound))
            }
          }
          look(at: pair.value)
        }
      }
    }
    look(at: root)
    step = max(steps.first ?? 2, 1)
    inBraces = braces["{"] ?? " "
    inBrackets = braces["["] ?? ""
    if root.isFlow, case .mapping(let pairs) = root.content, let first = pairs.first {
      isQuoted = text[first.keyRange.lowerBound] == "\""
    }
  }

  // MARK: - Neighbours

  /// Returns the column where the values of one-line entries begin, if it is the same for all; nil
  /// if they simply follow their keys.
  func column(of pairs: [YAMLPair]) -> Int? {
    let inLine = pairs.map { (colonEnd: text.colonEnd(of: $0), start: text.valueStart(of: $0)) }
      .filter { text.areOnOneLine($0.colonEnd, $0.start) }
    guard let first = inLine.first?.start, inLine.contains(where: { $0.start > $0.colonEnd + 1 })
    else { return nil }
    let column = text.column(of: first)
    return inLine.allSatisfy { text.column(of: $0.start) == column } ? column : nil
  }

  /// Whether empty lines separate all entries.
  func separatesByBlankLines(_ ranges: [Range<Int>]) -> Bool {
    ranges.count > 1
      && zip(ranges, ranges.dropFirst()).allSatisfy { one, next in
        let line = text.nextLineStart(of: one.upperBound - 1)
        let first = text.skippingBlanks(from: line)
        return first < next.lowerBound && (text[first].map(YAMLText.isBreak) ?? false)
      }
  }

  // MARK: - New text

  /// Returns a whole document.
  func document(of root: YAMLValue) -> String { lines(of: root).map { "\($0)\n" }.joined() }

  /// Returns a new entry of a block in the style of its neighbours; lines without line ends.
  func block(_ key: String, _ value: YAMLValue, among pairs: [YAMLPair]) -> String {
    let written = scalar(key)
    let isFlow = pairs.last { $0.value.isCollection }?.value.isFlow
    if value.isFilled, !(isFlow ?? self.isFlow(key)) {
      return "\(written):\n" + lines(of: value).map { indented($0) }.joined(separator: "\n")
    }
    let word = self.value(value, inFlow: false)
    let count = written.unicodeScalars.count + 1
    let start = pairs.first.map { text.column(of: $0.keyRange.lowerBound) } ?? 0
    let gap = column(of: pairs).map { max(1, $0 - start - count) } ?? 1
    return "\(written):" + String(repeating: " ", count: gap) + word
  }

  private func lines(of value: YAMLValue) -> [String] {
    switch value.content {
    case .mapping(let pairs) where !pairs.isEmpty:
      pairs.flatMap { pair -> [String] in
        let word = scalar(pair.key.value)
        guard pair.value.isFilled, !isFlow(pair.key.value) else {
          return ["\(word): \(self.value(pair.value, inFlow: false))"]
        }
        return ["\(word):"] + lines(of: pair.value).map { indented($0) }
      }
    case .sequence(let values) where !values.isEmpty: values.map { "- \(flow($0))" }
    default: [self.value(value, inFlow: false)]
    }
  }

  /// Whether the map or list of a key is written in braces or brackets; new documents have lines.
  private func isFlow(_ key: String) -> Bool { flowByKey[key] ?? !text.scalars.isEmpty }

  private func indented(_ line: String) -> String { String(repeating: " ", count: step) + line }

  func flow(_ key: String, _ value: YAMLValue) -> String {
    "\(scalar(key, inFlow: true)): \(flow(value))"
  }

  func flow(_ value: YAMLValue) -> String { self.value(value, inFlow: true) }

  private func value(_ value: YAMLValue, inFlow: Bool) -> String {
    switch value.content {
    case .scalar(let text, let isPlain):
      isPlain && value.isNull ? text : scalar(text, inFlow: inFlow)
    case .sequence(let values):
      "[\(inBrackets)" + values.map { flow($0) }.joined(separator: ", ") + "\(inBrackets)]"
    case .mapping(let pairs):
      pairs.isEmpty
        ? "{}"
        : "{\(inBraces)" + pairs.map { flow($0.key.value, $0.value) }.joined(separator: ", ")
          + "\(inBraces)}"
    }
  }

  /// - Parameter first: the first character of the current word, whose quotes are kept.
  func scalar(_ word: String, like first: Unicode.Scalar? = nil, inFlow: Bool = false) -> String {
    let isPrintable = word.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    if first == "'", isPrintable { return "'\(word.replacing("'", with: "''"))'" }
    if first != "\"", !isQuoted, Self.isPlain(word, inFlow: inFlow) { return word }
    return word.quoted
  }

  /// Whether a word needs no quotes; false if in doubt.
  private static func isPlain(_ word: String, inFlow: Bool) -> Bool {
    let scalars = Array(word.unicodeScalars)
    guard let first = scalars.first, let last = scalars.last, !["~", "null"].contains(word),
      scalars.allSatisfy({ $0.value >= 32 && $0.value != 127 && !YAMLText.isBreak($0) }),
      !"?:,[]{}#&*!|>'\"%@` \t".unicodeScalars.contains(first), last != " ", last != "\t",
      last != ":", !(first == "-" && (scalars.count == 1 || scalars[1] == " ")),
      !["---", "..."].contains(where: { word.hasPrefix($0) })
    else { return false }
    for (scalar, next) in zip(scalars, scalars.dropFirst()) {
      if scalar == ":" && (next == " " || inFlow) || scalar == " " && next == "#" { return false }
    }
    return !inFlow || !scalars.contains { ",[]{}".unicodeScalars.contains($0) }
  }
}

extension YAMLValue {
  /// Whether the value is a map or a list with entries.
  fileprivate var isFilled: Bool {
    switch content {
    case .scalar: false
    case .sequence(let values): !values.isEmpty
    case .mapping(let pairs): !pairs.isEmpty
    }
  }
}
