/// A value of a YAML text and the stretch of the text that it takes.
struct YAMLLayout {
  enum Content {
    case scalar(String)
    case sequence([YAMLLayout])
    case mapping([Pair])
  }

  struct Pair {
    var key: YAMLLayout
    /// Behind the colon.
    var colonEnd: Int
    var value: YAMLLayout

    var range: Range<Int> { key.range.lowerBound..<max(colonEnd, value.range.upperBound) }
  }

  var content: Content
  /// Without space or comments at either end; empty where nothing is written.
  var range: Range<Int>
  var position: SourcePosition
  /// Within brackets or braces of its own.
  var isFlow = false

  var isCollection: Bool { if case .scalar = content { false } else { true } }
  var isBlockCollection: Bool { isCollection && !isFlow }
  /// Nothing is written here, not even quotes.
  var isNothing: Bool { !isCollection && range.isEmpty }
}

/// Finds where the values of a text end; the parser says only where they begin.
struct YAMLLayoutReader {
  let text: YAMLText

  /// - Throws: `YAMLEditError` where the text is not as the tree has it.
  func layout(of value: YAMLValue, indentation: Int = -1) throws(YAMLEditError) -> YAMLLayout {
    guard let offset = text.offset(of: value.position) else { throw YAMLEditError(value.position) }
    let start = skippingTag(from: offset)
    switch value.content {
    case .scalar(let word, _):
      let end = try scalarEnd(word, from: start, indentation, value.position)
      return YAMLLayout(content: .scalar(word), range: start..<end, position: value.position)
    case .sequence(let values):
      let isFlow = text[start] == "["
      let inner = isFlow ? indentation : text.column(of: start)
      var items: [YAMLLayout] = []
      for value in values { items.append(try layout(of: value, indentation: inner)) }
      let end = try end(after: items.last?.range.upperBound, from: start, isFlow, value.position)
      return YAMLLayout(
        content: .sequence(items), range: start..<end, position: value.position, isFlow: isFlow)
    case .mapping(let pairs):
      let isFlow = text[start] == "{"
      let inner = isFlow ? indentation : text.column(of: start)
      var laid: [YAMLLayout.Pair] = []
      for pair in pairs { laid.append(try self.pair(pair.key, pair.value, indentation: inner)) }
      let end = try end(after: laid.last?.range.upperBound, from: start, isFlow, value.position)
      return YAMLLayout(
        content: .mapping(laid), range: start..<end, position: value.position, isFlow: isFlow)
    }
  }

  private func pair(
    _ key: Located<String>, _ value: YAMLValue, indentation: Int
  ) throws(YAMLEditError) -> YAMLLayout.Pair {
    let word = YAMLValue(content: .scalar(key.value, isPlain: true), position: key.position)
    let laidKey = try layout(of: word, indentation: indentation)
    let colon = text.skippingSpace(from: laidKey.range.upperBound)
    let hasColon = text[colon] == ":"
    let colonEnd = hasColon ? colon + 1 : laidKey.range.upperBound
    if value.isNull, text[text.skippingBlanks(from: colonEnd)] != "~" {
      // The parser puts what is not written somewhere behind it.
      let laid = try layout(of: value, indentation: indentation)
      guard laid.range.isEmpty else {
        return YAMLLayout.Pair(key: laidKey, colonEnd: colonEnd, value: laid)
      }
      let nothing = YAMLLayout(
        content: laid.content, range: colonEnd..<colonEnd, position: value.position)
      return YAMLLayout.Pair(key: laidKey, colonEnd: colonEnd, value: nothing)
    }
    guard hasColon else { throw YAMLEditError(key.position) }
    return YAMLLayout.Pair(
      key: laidKey, colonEnd: colonEnd, value: try layout(of: value, indentation: indentation))
  }

  /// A tag says of what kind a value is; none of ours needs one.
  private func skippingTag(from offset: Int) -> Int {
    guard text[offset] == "!" else { return offset }
    var place = offset
    while let scalar = text[place], !YAMLText.isBlank(scalar), !YAMLText.isBreak(scalar) {
      place += 1
    }
    return text.skippingSpace(from: place)
  }

  /// Behind the bracket that closes a collection in brackets, or else behind its last entry.
  private func end(
    after last: Int?, from start: Int, _ isFlow: Bool, _ position: SourcePosition
  ) throws(YAMLEditError) -> Int {
    guard isFlow else { return last ?? start }
    var place = text.skippingSpace(from: last ?? start + 1)
    if text[place] == "," { place = text.skippingSpace(from: place + 1) }
    guard text[place] == "]" || text[place] == "}" else { throw YAMLEditError(position) }
    return place + 1
  }

  private func scalarEnd(
    _ word: String, from start: Int, _ indentation: Int, _ position: SourcePosition
  ) throws(YAMLEditError) -> Int {
    switch text[start] {
    case "\"":
      var place = start + 1
      while let scalar = text[place], scalar != "\"" { place += scalar == "\\" ? 2 : 1 }
      return place + 1
    case "'":
      var place = start + 1
      while text[place] != nil, text[place] != "'" || text[place + 1] == "'" {
        place += text[place] == "'" ? 2 : 1
      }
      return place + 1
    case "|", ">": return blockEnd(from: start, indentation)
    default:
      if word.isEmpty { return start }
      // Folded or not: the same letters, with other space between.
      var place = start
      for scalar in word.unicodeScalars where !scalar.properties.isWhitespace {
        while let space = text[place], space.properties.isWhitespace { place += 1 }
        guard text[place] == scalar else { throw YAMLEditError(position) }
        place += 1
      }
      return place
    }
  }

  /// The end of the last line of a text that is written below its key.
  private func blockEnd(from start: Int, _ indentation: Int) -> Int {
    func end(of line: Int) -> Int {
      var end = text.nextLineStart(of: line)
      while end > line, let scalar = text[end - 1], YAMLText.isBreak(scalar) { end -= 1 }
      return end
    }
    var last = end(of: start)
    var line = text.nextLineStart(of: start)
    while line < text.scalars.count {
      let first = text.skippingBlanks(from: line)
      let isEmpty = text[first].map(YAMLText.isBreak) ?? true
      if !isEmpty {
        guard first - line > indentation else { break }
        last = end(of: line)
      }
      line = text.nextLineStart(of: line)
    }
    return last
  }
}

/// A text that cannot be edited, since it is written as nobody would expect.
package struct YAMLEditError: Error, Sendable {
  package let position: SourcePosition
  init(_ position: SourcePosition) { self.position = position }
}
