/// Changes a YAML text where two trees differ and nowhere else: comments, order and the way in which
/// everything else is written stay.
///
/// What stands in both trees is known by its position. What the new tree has from elsewhere has the
/// position `YAMLValue.nowhere`, and is written as its neighbours are.
package struct YAMLEditor {
  let text: YAMLText
  let style: YAMLStyle
  private let root: YAMLLayout
  private var isRemoved: [Bool]
  private var inserted: [Int: String] = [:]

  /// - Throws: `YAMLEditError` where the text is written as nobody would expect.
  package static func rewrite(
    _ text: String, from old: YAMLValue, to new: YAMLValue
  ) throws(YAMLEditError) -> String {
    var editor = try YAMLEditor(text, old)
    try editor.edit(editor.root, new, colonEnd: nil)
    return editor.result
  }

  private init(_ source: String, _ tree: YAMLValue) throws(YAMLEditError) {
    text = YAMLText(source)
    root = try YAMLLayoutReader(text: text).layout(of: tree)
    style = YAMLStyle(text: text, root: root)
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

  /// The same before all that comes there anyhow, such as what stands there in other words.
  mutating func insert(_ words: String, before offset: Int) {
    inserted[offset] = words + inserted[offset, default: ""]
  }

  /// `colonEnd`: behind the colon, where it is a value of a map.
  mutating func edit(
    _ old: YAMLLayout, _ new: YAMLValue, colonEnd: Int?
  ) throws(YAMLEditError) {
    switch (old.content, new.content) {
    case (.scalar(let word), .scalar(let newWord, _)):
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
    _ old: [YAMLLayout.Pair], _ new: [(key: Located<String>, value: YAMLValue)], isFlow: Bool
  ) throws(YAMLEditError) {
    var places: [Int?] = []
    for pair in new {
      let place =
        pair.key.position.line < 1
        ? nil : old.firstIndex { $0.key.position == pair.key.position }
      places.append(place)
      guard let place else { continue }
      if case .scalar(let word) = old[place].key.content, word != pair.key.value {
        rename(old[place], among: old, to: pair.key.value, isFlow: isFlow)
      }
      try edit(old[place].value, pair.value, colonEnd: old[place].colonEnd)
    }
    try edit(YAMLEntries(ranges: old.map(\.range), isFlow: isFlow), places) { number, editor in
      let pair = (new[number].key.value, new[number].value)
      return isFlow
        ? editor.style.flow(pair.0, pair.1) : editor.style.block(pair.0, pair.1, among: old)
    }
  }

  private mutating func edit(
    _ old: [YAMLLayout], _ new: [YAMLValue], isFlow: Bool
  ) throws(YAMLEditError) {
    var places: [Int?] = []
    for value in new {
      let place =
        value.position.line < 1
        ? nil : old.firstIndex { $0.position == value.position }
      places.append(place)
      if let place { try edit(old[place], value, colonEnd: nil) }
    }
    var ranges: [Range<Int>] = []
    for item in old {
      let start = isFlow ? item.range.lowerBound : try dash(of: item)
      ranges.append(start..<item.range.upperBound)
    }
    try edit(YAMLEntries(ranges: ranges, isFlow: isFlow), places) { number, editor in
      let item = editor.style.flow(new[number])
      if isFlow { return item }
      let first = ranges[0].lowerBound
      let gap =
        editor.text.areOnOneLine(first, old[0].range.lowerBound)
        ? old[0].range.lowerBound - first - 1 : 1
      return "-" + String(repeating: " ", count: max(gap, 1)) + item
    }
  }

  /// The dash before an item of a list.
  private func dash(of item: YAMLLayout) throws(YAMLEditError) -> Int {
    var place = item.range.lowerBound - 1
    while let scalar = text[place], YAMLText.isBlank(scalar) || YAMLText.isBreak(scalar) {
      place -= 1
    }
    guard text[place] == "-" else { throw YAMLEditError(item.position) }
    return place
  }

  /// A key gets another word; values that stand in a column stay in it.
  private mutating func rename(
    _ pair: YAMLLayout.Pair, among pairs: [YAMLLayout.Pair], to word: String, isFlow: Bool
  ) {
    let key = pair.key.range
    let written = style.scalar(word, like: text[key.lowerBound], inFlow: isFlow)
    remove(key)
    insert(written, at: key.lowerBound)
    let gap = pair.value.range.lowerBound - pair.colonEnd
    guard !isFlow, style.column(of: pairs) != nil,
      text.areOnOneLine(pair.colonEnd, pair.value.range.lowerBound)
    else { return }
    let wanted = max(1, gap + key.count - written.unicodeScalars.count)
    if wanted < gap { remove(pair.colonEnd + wanted..<pair.colonEnd + gap) }
    if wanted > gap { insert(String(repeating: " ", count: wanted - gap), at: pair.colonEnd) }
  }

  /// Puts something else in a value's place, on its key's line.
  private mutating func replace(
    _ old: YAMLLayout, with new: YAMLValue, colonEnd: Int?
  ) throws(YAMLEditError) {
    let first = text[old.range.lowerBound]
    var written: String
    if case .scalar(let word, _) = new.content, !old.isCollection {
      // Within brackets or not, what is quoted for them is right everywhere.
      written = style.scalar(word, like: old.isNothing ? nil : first, inFlow: true)
    } else {
      written = style.flow(new)
    }
    if old.isNothing || old.isBlockCollection {
      guard let colonEnd else { throw YAMLEditError(old.position) }
      written = " " + written
      if old.isBlockCollection { removeEntries(of: old) }
      insert(written, at: colonEnd)
    } else {
      remove(old.range)
      insert(written, at: old.range.lowerBound)
    }
  }

  /// The lines of a block's entries; comments between them stay.
  private mutating func removeEntries(of block: YAMLLayout) {
    switch block.content {
    case .scalar: break
    case .mapping(let pairs): for pair in pairs { removeLines(pair.range) }
    case .sequence(let items): for item in items { removeLines(item.range) }
    }
  }

  mutating func removeLines(_ range: Range<Int>) {
    let last = max(range.lowerBound, range.upperBound - 1)
    remove(text.lineStart(of: range.lowerBound)..<text.nextLineStart(of: last))
  }
}
