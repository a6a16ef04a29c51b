/// Changes a YAML text only where two trees differ: comments, order and formatting of the rest stay.
///
/// Values of both trees are matched by position. A new value has the position `.nowhere` and is
/// formatted like its neighbours.
package struct YAMLEditor {
  let text: YAMLText
  let style: YAMLStyle
  private var isRemoved: [Bool]
  private var inserted: [Int: String] = [:]

  /// - Parameters:
  ///   - text: the text, without a byte order mark.
  ///   - old: the tree of `text`.
  /// - Throws: `YAMLEditError` if a value cannot be changed in its place.
  package static func rewrite(
    _ text: String, from old: YAMLValue, to new: YAMLValue
  ) throws(YAMLEditError) -> String {
    var editor = YAMLEditor(text, old)
    try editor.edit(old, new, colonEnd: nil)
    return editor.result
  }

  private init(_ source: String, _ tree: YAMLValue) {
    text = YAMLText(source)
    style = YAMLStyle(text: text, root: tree)
    isRemoved = Array(repeating: false, count: text.scalars.count)
  }

  private var result: String {
    var view = String.UnicodeScalarView()
    for offset in 0...text.scalars.count {
      if let insertion = inserted[offset] { view.append(contentsOf: insertion.unicodeScalars) }
      if offset < text.scalars.count, !isRemoved[offset] { view.append(text.scalars[offset]) }
    }
    return String(view)
  }

  mutating func remove(_ range: Range<Int>) {
    for offset in range { isRemoved[offset] = true }
  }

  mutating func insert(_ words: String, at offset: Int) { inserted[offset, default: ""] += words }

  /// Inserts a text before other insertions at this offset.
  mutating func insert(_ words: String, before offset: Int) {
    inserted[offset] = words + inserted[offset, default: ""]
  }

  /// - Parameter colonEnd: the offset after the colon, if the value is that of a map's key.
  mutating func edit(
    _ old: YAMLValue, _ new: YAMLValue, colonEnd: Int?
  ) throws(YAMLEditError) {
    switch (old.content, new.content) {
    case (.scalar(let word, _), .scalar(let newWord, _)):
      if word == newWord { return }
      try replace(old, with: new, colonEnd: colonEnd)
    case (.mapping(let pairs), .mapping(let newPairs)) where !pairs.isEmpty:
      if newPairs.isEmpty { return try replace(old, with: new, colonEnd: colonEnd) }
      try edit(pairs, newPairs, isFlow: old.isFlow)
    case (.sequence(let items), .sequence(let newItems)) where !items.isEmpty:
      if newItems.isEmpty { return try replace(old, with: new, colonEnd: colonEnd) }
      try edit(items, newItems, isFlow: old.isFlow)
    case (.mapping, .mapping(let pairs)) where pairs.isEmpty: break
    case (.sequence, .sequence(let items)) where items.isEmpty: break
    default: try replace(old, with: new, colonEnd: colonEnd)
    }
  }

  private mutating func edit(
    _ old: [YAMLPair], _ new: [YAMLPair], isFlow: Bool
  ) throws(YAMLEditError) {
    let indices = indices(of: new.map(\.key.position), in: old.map(\.key.position))
    for case (let pair, let index?) in zip(new, indices) {
      if old[index].key.value != pair.key.value {
        rename(old[index], among: old, to: pair.key.value, isFlow: isFlow)
      }
      try edit(old[index].value, pair.value, colonEnd: text.colonEnd(of: old[index]))
    }
    try edit(old.map(text.range), isFlow: isFlow, indices) { number, editor in
      let pair = (new[number].key.value, new[number].value)
      return isFlow
        ? editor.style.flow(pair.0, pair.1) : editor.style.block(pair.0, pair.1, among: old)
    }
  }

  private mutating func edit(
    _ old: [YAMLValue], _ new: [YAMLValue], isFlow: Bool
  ) throws(YAMLEditError) {
    let indices = indices(of: new.map(\.position), in: old.map(\.position))
    for case (let value, let index?) in zip(new, indices) {
      try edit(old[index], value, colonEnd: nil)
    }
    var ranges: [Range<Int>] = []
    for item in old {
      let start = isFlow ? item.range.lowerBound : try dash(of: item)
      ranges.append(start..<item.range.upperBound)
    }
    try edit(ranges, isFlow: isFlow, indices) { number, editor in
      let item = editor.style.flow(new[number])
      if isFlow { return item }
      let first = ranges[0].lowerBound
      let gap =
        editor.text.areOnOneLine(first, old[0].range.lowerBound)
        ? old[0].range.lowerBound - first - 1 : 1
      return "-" + String(repeating: " ", count: max(gap, 1)) + item
    }
  }

  /// Returns for each new position its index among the old ones; nil for values that are not in the
  /// text.
  private func indices(of new: [SourcePosition], in old: [SourcePosition]) -> [Int?] {
    new.map { $0 == .nowhere ? nil : old.firstIndex(of: $0) }
  }

  /// Returns the offset of the dash before an item of a list.
  private func dash(of item: YAMLValue) throws(YAMLEditError) -> Int {
    var index = item.range.lowerBound - 1
    while let scalar = text[index], YAMLText.isBlank(scalar) || YAMLText.isBreak(scalar) {
      index -= 1
    }
    guard text[index] == "-" else { throw YAMLEditError(item.position) }
    return index
  }

  /// Renames a key; values that are aligned in a column stay aligned.
  private mutating func rename(
    _ pair: YAMLPair, among pairs: [YAMLPair], to word: String, isFlow: Bool
  ) {
    let key = pair.keyRange
    let written = style.scalar(word, like: text[key.lowerBound], inFlow: isFlow)
    remove(key)
    insert(written, at: key.lowerBound)
    let colonEnd = text.colonEnd(of: pair)
    let gap = text.valueStart(of: pair) - colonEnd
    guard !isFlow, style.column(of: pairs) != nil,
      text.areOnOneLine(colonEnd, colonEnd + gap)
    else { return }
    let wanted = max(1, gap + key.count - written.unicodeScalars.count)
    if wanted < gap { remove(colonEnd + wanted..<colonEnd + gap) }
    if wanted > gap { insert(String(repeating: " ", count: wanted - gap), at: colonEnd) }
  }

  /// Replaces a value by another on its key's line.
  private mutating func replace(
    _ old: YAMLValue, with new: YAMLValue, colonEnd: Int?
  ) throws(YAMLEditError) {
    let first = text[old.range.lowerBound]
    let isBlock = old.isCollection && !old.isFlow
    var written: String
    if case .scalar(let word, _) = new.content, !old.isCollection {
      // Quotes that are valid within brackets are valid everywhere.
      written = style.scalar(word, like: old.isNothing ? nil : first, inFlow: true)
    } else {
      written = style.flow(new)
    }
    if old.isNothing || isBlock {
      guard let colonEnd else { throw YAMLEditError(old.position) }
      written = " " + written
      if isBlock { removeEntries(of: old) }
      insert(written, at: colonEnd)
    } else {
      remove(old.range)
      insert(written, at: old.range.lowerBound)
    }
  }

  /// Removes the lines of a block's entries; comments between them stay.
  private mutating func removeEntries(of block: YAMLValue) {
    switch block.content {
    case .scalar: break
    case .mapping(let pairs): for pair in pairs { removeLines(text.range(of: pair)) }
    case .sequence(let items): for item in items { removeLines(item.range) }
    }
  }

  mutating func removeLines(_ range: Range<Int>) {
    let last = max(range.lowerBound, range.upperBound - 1)
    remove(text.lineStart(of: range.lowerBound)..<text.nextLineStart(of: last))
  }
}

/// The error of a value that cannot be changed in its place.
package struct YAMLEditError: Error, Sendable {
  package let position: SourcePosition
  init(_ position: SourcePosition) { self.position = position }
}
