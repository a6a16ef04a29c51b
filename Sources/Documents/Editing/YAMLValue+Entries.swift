/// Changes of a tree; unchanged values keep their positions.
extension YAMLValue {
  package var pairs: [YAMLPair] {
    get { if case .mapping(let pairs) = content { pairs } else { [] } }
    set { content = .mapping(newValue) }
  }

  package var items: [YAMLValue] {
    get { if case .sequence(let items) = content { items } else { [] } }
    set { content = .sequence(newValue) }
  }

  /// The value of a map's key; a new key is appended.
  package subscript(key: String) -> YAMLValue? {
    get { pairs.first { $0.key.value == key }?.value }
    set { set(key, to: newValue, before: []) }
  }

  /// Sets the value of a key; nil removes the key. A new key is inserted before the first of `others`, or
  /// appended.
  package mutating func set(_ key: String, to value: YAMLValue?, before others: [String]) {
    let index = pairs.firstIndex { $0.key.value == key }
    guard let value else {
      if let index { pairs.remove(at: index) }
      return
    }
    if let index {
      pairs[index].value = value
    } else {
      let next = pairs.firstIndex { others.contains($0.key.value) } ?? pairs.count
      pairs.insert(YAMLPair(key: Located(key), value: value), at: next)
    }
  }

  /// Returns a scalar at the same position with another text.
  package func saying(_ text: String) -> YAMLValue {
    var value = self
    value.content = .scalar(text, isPlain: false)
    return value
  }

  /// Returns a scalar at the same position with another truth value, in the same words: on or off, yes
  /// or no.
  func saying(_ isOn: Bool) -> YAMLValue {
    if case .scalar(let word, _) = content {
      for pair in [("on", "off"), ("yes", "no")]
      where [pair.0, pair.1].contains(word.lowercased()) {
        return saying(isOn ? pair.0 : pair.1)
      }
    }
    return becoming(.text("\(isOn)"))
  }

  /// Returns another value at the same position; the values of a list keep their positions, too.
  package func becoming(_ new: YAMLValue) -> YAMLValue {
    switch (content, new.content) {
    case (.scalar, .scalar(let text, _)): return saying(text)
    case (.sequence(let former), .sequence(let values)) where !former.isEmpty:
      var list = self
      list.items = values.enumerated().map { number, value in
        former.indices.contains(number) ? former[number].becoming(value) : value
      }
      return list
    default: return new
    }
  }
}

extension YAMLValue {
  /// The value with all its maps sorted by key.
  package var sortedByKey: YAMLValue {
    var value = self
    switch content {
    case .scalar: break
    case .sequence(let items): value.items = items.map(\.sortedByKey)
    case .mapping(let pairs):
      value.pairs = pairs.map { YAMLPair(key: $0.key, value: $0.value.sortedByKey) }
        .sorted { $0.key.value < $1.key.value }
    }
    return value
  }
}
