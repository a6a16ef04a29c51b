import CYAML

/// Builds a tree from libyaml's events, in time and memory proportional to the text's size.
///
/// Anchors and aliases are refused, so that no value can multiply (the "billion laughs").
struct YAMLReader {
  /// The maximum depth, deeper than any rack and far from the end of the stack.
  private static let maximumDepth = 16

  let text: UnsafeBufferPointer<UInt8>
  /// The parser, on the heap since libyaml keeps a pointer to it.
  let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The current event.
  private var event = yaml_event_t()
  let diagnostics: DiagnosticCollector
  private var hasAnchors = false
  /// A byte offset and the index of the character that begins there.
  private var place = (byte: 0, character: 0)

  /// Parses a text; nil if the text is empty or not YAML. Syntax errors are collected.
  ///
  /// - Parameter text: the text in UTF-8, not empty, without a byte order mark.
  static func read(
    _ text: UnsafeBufferPointer<UInt8>, _ diagnostics: DiagnosticCollector
  ) -> YAMLValue? {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else { fatalError("out of memory") }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    var reader = YAMLReader(text: text, parser: parser, diagnostics: diagnostics)
    defer { yaml_event_delete(&reader.event) }
    do throws(Diagnostic) {
      return try reader.document()
    } catch {
      diagnostics.error(error.position, error.message)
      return nil
    }
  }

  // MARK: - Events

  private mutating func advance() throws(Diagnostic) {
    yaml_event_delete(&event)
    guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
  }

  private mutating func document() throws(Diagnostic) -> YAMLValue? {
    // Skip the stream's start, then the document's.
    try advance()
    try advance()
    guard event.type == YAML_DOCUMENT_START_EVENT else { return nil }
    try advance()
    let root = try value(depth: 1)
    // Skip the document's end, then the stream's.
    try advance()
    try advance()
    guard event.type == YAML_STREAM_END_EVENT else {
      throw failure(event.start_mark, "a second document; a file holds one")
    }
    return hasAnchors ? nil : root
  }

  /// Returns the value that begins with the current event; leaves its last event as the current
  /// one.
  private mutating func value(depth: Int) throws(Diagnostic) -> YAMLValue {
    let (start, end) = (event.start_mark, event.end_mark)
    guard depth <= Self.maximumDepth else {
      throw failure(start, "nested more than \(Self.maximumDepth) deep, which no file here needs")
    }
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      keepAnchor(scalar.anchor)
      let word = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
      let isBlock =
        scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE
      var value = YAMLValue(content: .scalar(word, isPlain: isPlain), position: position(start))
      value.range = start.index..<(isBlock ? trimmed(end) : end.index)
      value.isAsWritten =
        !isBlock && start.line == end.line
        && value.range.count == word.unicodeScalars.count + (isPlain ? 0 : 2)
      return value
    case YAML_SEQUENCE_START_EVENT:
      keepAnchor(event.data.sequence_start.anchor)
      let isFlow = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
      var values: [YAMLValue] = []
      try advance()
      while event.type != YAML_SEQUENCE_END_EVENT {
        values.append(try value(depth: depth + 1))
        try advance()
      }
      return collection(.sequence(values), start, isFlow, values.last?.range.upperBound)
    case YAML_MAPPING_START_EVENT:
      keepAnchor(event.data.mapping_start.anchor)
      let isFlow = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
      let pairs = try pairs(depth: depth)
      let last = pairs.last.map { max($0.keyRange.upperBound, $0.value.range.upperBound) }
      return collection(.mapping(pairs), start, isFlow, last)
    default: throw failure(start, Self.noAnchors)
    }
  }

  private mutating func pairs(depth: Int) throws(Diagnostic) -> [YAMLPair] {
    var pairs: [YAMLPair] = []
    var firstLines: [String: Int] = [:]
    try advance()
    while event.type != YAML_MAPPING_END_EVENT {
      let key = try value(depth: depth + 1)
      try advance()
      let value = try value(depth: depth + 1)
      try advance()
      guard case .scalar(let word, _) = key.content else {
        diagnostics.error(key.position, "a key must be a word")
        continue
      }
      if let line = firstLines[word] {
        diagnostics.error(key.position, "“\(word)” is given twice, first on line \(line)")
        continue
      }
      firstLines[word] = key.position.line
      pairs.append(
        YAMLPair(key: Located(word, at: key.position), keyRange: key.range, value: value))
    }
    return pairs
  }

  /// Returns a map or a list, whose end is the current event. In brackets it ends after them;
  /// otherwise after its last entry, since libyaml ends it where the next value begins.
  private func collection(
    _ content: YAMLValue.Content, _ start: yaml_mark_t, _ isFlow: Bool, _ last: Int?
  ) -> YAMLValue {
    var value = YAMLValue(content: content, position: position(start))
    value.range = start.index..<(isFlow ? event.end_mark.index : last ?? start.index)
    value.isFlow = isFlow
    return value
  }

  /// Returns the end of a block text without its trailing empty lines.
  private mutating func trimmed(_ end: yaml_mark_t) -> Int {
    while place.character < end.index, place.byte < text.count {
      place.byte += 1
      // Continuation bytes of UTF-8 do not begin a character.
      while place.byte < text.count, text[place.byte] & 0xC0 == 0x80 { place.byte += 1 }
      place.character += 1
    }
    var (byte, character) = place
    while byte > 0, [0x20, 0x09, 0x0A, 0x0D].contains(text[byte - 1]) {
      byte -= 1
      character -= 1
    }
    return character
  }

  // MARK: - Problems

  private static let noAnchors = "anchors (&) and aliases (*) are not used here"

  private mutating func keepAnchor(_ anchor: UnsafeMutablePointer<yaml_char_t>?) {
    guard anchor != nil else { return }
    hasAnchors = true
    diagnostics.error(position(event.start_mark), Self.noAnchors)
  }

  private func position(_ mark: yaml_mark_t) -> SourcePosition {
    SourcePosition(line: mark.line + 1, column: mark.column + 1)
  }

  private func failure(_ mark: yaml_mark_t, _ message: String) -> Diagnostic {
    Diagnostic(file: diagnostics.file, position: position(mark), message: message)
  }

  /// The parser's error.
  private var problem: Diagnostic {
    let parser = parser.pointee
    let problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
    let mark = parser.problem_mark
    if parser.error == YAML_READER_ERROR {
      let position = SourcePosition(ofByte: parser.problem_offset, in: text)
      return Diagnostic(
        file: diagnostics.file, position: position, message: "not YAML: \(problem)")
    }
    guard let words = parser.context else { return failure(mark, "not YAML: \(problem)") }
    let context = String(cString: words)
    if context == "while scanning an alias" {
      return failure(mark, "a text that begins with * must stand in quotes")
    }
    let character = String(decoding: text, as: UTF8.self).unicodeScalars.dropFirst(mark.index).first
    if character == "\t" { return failure(mark, "a tab; YAML is indented with spaces") }
    return failure(
      mark, "not YAML: \(problem) \(context) (line \(parser.context_mark.line + 1))")
  }
}
