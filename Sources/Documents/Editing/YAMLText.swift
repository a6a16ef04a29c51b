/// A YAML text by character offsets, with lines as the parser counts them.
struct YAMLText {
  let scalars: [Unicode.Scalar]
  /// The offset of each line's beginning.
  private let lineStarts: [Int]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var starts = [0]
    for (offset, scalar) in scalars.enumerated() where Self.isBreak(scalar) {
      let isHalf =
        scalar == "\r" && offset + 1 < scalars.count && scalars[offset + 1] == "\n"
      if !isHalf { starts.append(offset + 1) }
    }
    lineStarts = starts
  }

  static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  /// The line ending of this text.
  var lineEnd: String {
    guard let index = scalars.firstIndex(of: "\n") else { return "\n" }
    return index > 0 && scalars[index - 1] == "\r" ? "\r\n" : "\n"
  }

  var endsWithLineEnd: Bool { scalars.last.map(Self.isBreak) ?? false }

  subscript(offset: Int) -> Unicode.Scalar? {
    scalars.indices.contains(offset) ? scalars[offset] : nil
  }

  private func line(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  func lineStart(of offset: Int) -> Int { lineStarts[line(of: offset)] }

  /// Returns the beginning of the line after that of `offset`; the end of the text if there is
  /// none.
  func nextLineStart(of offset: Int) -> Int {
    let line = line(of: offset) + 1
    return lineStarts.indices.contains(line) ? lineStarts[line] : scalars.count
  }

  func areOnOneLine(_ first: Int, _ second: Int) -> Bool { line(of: first) == line(of: second) }

  /// Returns the column of an offset, from 0.
  func column(of offset: Int) -> Int { offset - lineStart(of: offset) }

  /// Whether only spaces precede the offset on its line.
  func isFirstOnLine(_ offset: Int) -> Bool {
    scalars[lineStart(of: offset)..<offset].allSatisfy(Self.isBlank)
  }

  /// Whether only spaces and a comment follow on the line.
  func isLastOnLine(_ offset: Int) -> Bool {
    let rest = scalars[offset..<nextLineStart(of: offset)].drop(while: Self.isBlank)
    guard let first = rest.first else { return true }
    return Self.isBreak(first) || first == "#"
  }

  /// Returns the first offset from `offset` on that is not a space or a tab.
  func skippingBlanks(from offset: Int) -> Int {
    var index = offset
    while let scalar = self[index], Self.isBlank(scalar) { index += 1 }
    return index
  }

  /// Returns the first offset from `offset` on outside spaces, line breaks and comments.
  func skippingSpace(from offset: Int) -> Int {
    var index = offset
    while let scalar = self[index] {
      if Self.isBlank(scalar) || Self.isBreak(scalar) {
        index += 1
      } else if scalar == "#" {
        index = nextLineStart(of: index)
      } else {
        break
      }
    }
    return index
  }
}

// MARK: - Pairs

extension YAMLText {
  /// Returns the offset after a pair's colon; after its key if it has no colon.
  func colonEnd(of pair: YAMLPair) -> Int {
    let colon = skippingSpace(from: pair.keyRange.upperBound)
    return self[colon] == ":" ? colon + 1 : pair.keyRange.upperBound
  }

  /// Returns the beginning of a pair's value; the offset after its colon if nothing is written.
  func valueStart(of pair: YAMLPair) -> Int {
    pair.value.isNothing ? colonEnd(of: pair) : pair.value.range.lowerBound
  }

  /// Returns the range from a pair's key to the end of its value.
  func range(of pair: YAMLPair) -> Range<Int> {
    let end = pair.value.isNothing ? 0 : pair.value.range.upperBound
    return pair.keyRange.lowerBound..<max(colonEnd(of: pair), end)
  }
}

extension YAMLValue {
  var isCollection: Bool { if case .scalar = content { false } else { true } }
  /// Whether nothing is written here, not even quotes.
  var isNothing: Bool { !isCollection && range.isEmpty }
}
