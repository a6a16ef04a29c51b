/// Changes of a tree; what stays keeps its position.
extension YAMLValue {
  package var pairs: [YAMLPair] {
    get { if case .mapping(let pairs) = content { pairs } else { [] } }
    set { content = .mapping(newValue) }
  }

  package var items: [YAMLValue] {
    get { if case .sequence(let items) = content { items } else { [] } }
    set { content = .sequence(newValue) }
  }

  /// What stands at a key of a map; what is new comes at the end.
  package subscript(key: String) -> YAMLValue? {
    get { pairs.first { $0.key.value == key }?.value }
    set { set(key, to: newValue, before: []) }
  }

  /// What is new comes before the first of `others`, or else at the end; nil takes the key away.
  package mutating func set(_ key: String, to value: YAMLValue?, before others: [String]) {
    let place = pairs.firstIndex { $0.key.value == key }
    guard let value else {
      if let place { pairs.remove(at: place) }
      return
    }
    if let place {
      pairs[place].value = value
    } else {
      let next = pairs.firstIndex { others.contains($0.key.value) } ?? pairs.count
      pairs.insert(YAMLPair(key: Located(key, at: Self.nowhere), value: value), at: next)
    }
  }

  /// The same place with another text in it.
  package func saying(_ text: String) -> YAMLValue {
    var value = self
    value.content = .scalar(text, isPlain: false)
    return value
  }
}
