extension YAMLEditor {
  /// Removes the entries that are not among `indices` and inserts new ones after their predecessors.
  ///
  /// - Parameters:
  ///   - ranges: the ranges of the old entries, each from its key, its dash or its first letter.
  ///   - indices: for each new entry, its index among the old ones; nil for one to insert.
  ///   - rendered: returns the text of an entry to insert, by its number.
  mutating func edit(
    _ ranges: [Range<Int>], isFlow: Bool, _ indices: [Int?],
    rendered: (Int, YAMLEditor) -> String
  ) throws(YAMLEditError) {
    let kept = Set(indices.compactMap(\.self))
    var additions: [Int?: [String]] = [:]
    var anchor: Int?
    for (number, index) in indices.enumerated() {
      if let index {
        anchor = index
      } else {
        additions[anchor, default: []].append(rendered(number, self))
      }
    }
    guard !additions.isEmpty || kept.count < ranges.count else { return }
    if isFlow {
      editFlow(ranges, kept, additions)
    } else {
      try editBlock(ranges, kept, additions)
    }
  }

  // MARK: - Lines

  private mutating func editBlock(
    _ ranges: [Range<Int>], _ kept: Set<Int>, _ additions: [Int?: [String]]
  ) throws(YAMLEditError) {
    for (index, range) in ranges.enumerated() where !kept.contains(index) {
      if text.isFirstOnLine(range.lowerBound) {
        removeLines(range)
      } else if index + 1 < ranges.count, !kept.isEmpty {
        // Remove what follows the dash of a list.
        remove(range.lowerBound..<ranges[index + 1].lowerBound)
      } else {
        throw YAMLEditError(SourcePosition(line: 1, column: 1))
      }
    }
    let first = ranges[0].lowerBound
    let indentation = String(repeating: " ", count: text.column(of: first))
    let gap = style.separatesByBlankLines(ranges) ? text.lineEnd : ""
    for (anchor, words) in additions {
      let lines = words.map {
        $0.split(separator: "\n", omittingEmptySubsequences: false)
          .map { indentation + $0 }.joined(separator: text.lineEnd)
      }
      guard let anchor else {
        guard text.isFirstOnLine(first) else {
          throw YAMLEditError(SourcePosition(line: 1, column: 1))
        }
        insert(lines.map { $0 + text.lineEnd + gap }.joined(), before: text.lineStart(of: first))
        continue
      }
      let end = text.nextLineStart(of: max(ranges[anchor].upperBound - 1, 0))
      let isUnended = end == text.scalars.count && !text.endsWithLineEnd
      insert(
        lines.map {
          gap + (isUnended ? text.lineEnd + $0 : $0 + text.lineEnd)
        }.joined(), at: end)
    }
  }

  // MARK: - Between brackets

  private mutating func editFlow(
    _ ranges: [Range<Int>], _ kept: Set<Int>, _ additions: [Int?: [String]]
  ) {
    let commas = ranges.map { comma(after: $0.upperBound) }
    let endsWithComma = commas.last.map { $0 != nil } ?? false
    for index in ranges.indices where !kept.contains(index) {
      removeFlow(index, ranges, commas)
    }
    let lastKept = kept.max()
    if let lastKept, let comma = commas[lastKept], !endsWithComma, lastKept + 1 < ranges.count,
      additions[lastKept] == nil || !hasLine(ranges[lastKept], comma)
    {
      let next = text.skippingBlanks(from: comma + 1)
      remove(comma..<(text.isLastOnLine(next) ? comma + 1 : next))
    }
    for (anchor, words) in additions {
      guard let anchor else {
        addFlow(words, before: kept.min(), ranges)
        continue
      }
      let comma = commas[anchor]
      let isLast = anchor == lastKept
      let end = comma.map { $0 + 1 } ?? ranges[anchor].upperBound
      if hasLine(ranges[anchor], comma) {
        if comma == nil { insert(",", at: ranges[anchor].upperBound) }
        let indentation = String(repeating: " ", count: text.column(of: ranges[anchor].lowerBound))
        let lines = words.enumerated().map { number, word in
          let isEnd = isLast && number == words.count - 1 && !endsWithComma
          return indentation + word + (isEnd ? "" : ",") + text.lineEnd
        }
        insert(lines.joined(), at: text.nextLineStart(of: end - 1))
      } else if isLast {
        insert(words.map { ", \($0)" }.joined(), at: ranges[anchor].upperBound)
      } else {
        insert(words.map { " \($0)," }.joined(), at: end)
      }
    }
  }

  private mutating func addFlow(
    _ words: [String], before next: Int?, _ ranges: [Range<Int>]
  ) {
    let index = ranges[next ?? 0].lowerBound
    guard next != nil else {
      // Nothing else is left.
      insert(words.joined(separator: ", "), at: index)
      return
    }
    if text.isFirstOnLine(index) {
      let indentation = String(repeating: " ", count: text.column(of: index))
      insert(
        words.map { "\(indentation)\($0),\(text.lineEnd)" }.joined(),
        before: text.lineStart(of: index))
    } else {
      insert(words.map { "\($0), " }.joined(), before: index)
    }
  }

  private mutating func removeFlow(
    _ index: Int, _ ranges: [Range<Int>], _ commas: [Int?]
  ) {
    let range = ranges[index]
    let end = commas[index].map { $0 + 1 } ?? range.upperBound
    if hasLine(range, commas[index]) {
      removeLines(range.lowerBound..<end)
    } else if index + 1 < ranges.count,
      text.areOnOneLine(range.upperBound, ranges[index + 1].lowerBound)
    {
      remove(range.lowerBound..<ranges[index + 1].lowerBound)
    } else {
      var start = range.lowerBound
      if index > 0 {
        while let scalar = text[start - 1], YAMLText.isBlank(scalar) { start -= 1 }
      }
      remove(start..<end)
    }
  }

  /// Whether the entry has lines of its own.
  private func hasLine(_ range: Range<Int>, _ comma: Int?) -> Bool {
    text.isFirstOnLine(range.lowerBound)
      && text.isLastOnLine(comma.map { $0 + 1 } ?? range.upperBound)
  }

  private func comma(after end: Int) -> Int? {
    let index = text.skippingSpace(from: end)
    return text[index] == "," ? index : nil
  }
}
