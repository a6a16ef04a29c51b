/// An entry of a map whose keys are names.
package protocol NamedEntry: KeyedEntry {
  var name: Located<String> { get set }
  init(name: Located<String>)
  /// An example for messages, `{ unit: aufx/ring/bkln }`; nil if an entry may be empty.
  static var example: String? { get }
  /// The key whose value may replace the map, if the map has no other keys.
  static var shorthand: String? { get }
  /// Returns for each entry its index in `former`; nil for new ones.
  static func match(_ entries: [Self], in former: [Self]) -> [Int?]
}

extension NamedEntry {
  package static var example: String? { nil }
  package static var shorthand: String? { nil }
  package static func match(_ entries: [Self], in former: [Self]) -> [Int?] {
    entries.map { entry in former.firstIndex { $0.name.value == entry.name.value } }
  }

  /// The JSON Schema of an entry's value: the map, or its shorthand.
  fileprivate static var schemaAsValue: JSONValue {
    var schema = Self.schema
    if example == nil { schema["type"] = ["object", "null"] }
    guard let shorthand else { return schema }
    return ["anyOf": [schema["properties"][shorthand], schema]]
  }

  /// The entry as a new YAML value.
  fileprivate var written: YAMLValue {
    let pairs = tree.pairs
    return pairs.count == 1 && pairs[0].key.value == Self.shorthand ? pairs[0].value : tree
  }

  fileprivate func updated(_ node: YAMLValue, from former: Self) -> YAMLValue {
    guard tree != former.tree else { return node }
    if Self.shorthand != nil, case .sequence = node.content { return node.becoming(written) }
    var node = node
    node.update(from: former, to: self)
    return node
  }
}

extension KeyType {
  /// The type of entries by name, each a map.
  package static func named<Entry: NamedEntry>() -> KeyType where Value == [Entry] {
    KeyType(
      schema: ["type": "object", "additionalProperties": Entry.schemaAsValue],
      read: { value, key, diagnostics in
        diagnostics.pairs(value, of: key)?.map { diagnostics.entry(named: $0.key, from: $0.value) }
      },
      write: { entries in
        entries.isEmpty ? nil : .map(entries.map { ($0.name.value, $0.written) })
      },
      update: { node, former, entries in
        var node = node
        let pairs = node.pairs
        node.pairs = zip(entries, Entry.match(entries, in: former)).map { entry, index in
          guard let index else {
            return YAMLPair(key: Located(entry.name.value), value: entry.written)
          }
          var pair = pairs[index]
          pair.key.value = entry.name.value
          pair.value = entry.updated(pair.value, from: former[index])
          return pair
        }
        return node
      })
  }
}

extension DiagnosticCollector {
  fileprivate func entry<Entry: NamedEntry>(
    named name: Located<String>, from value: YAMLValue
  ) -> Entry {
    var entry = Entry(name: name)
    if let shorthand = Entry.keys.first(where: { $0.name == Entry.shorthand }) {
      guard case .mapping = value.content else {
        shorthand.read(value, &entry, self)
        return entry
      }
    }
    switch value.content {
    case .mapping(let pairs): read(pairs, into: &entry, at: name.position)
    case _ where value.isNull && Entry.example == nil: break
    default:
      let example = Entry.example.map { " such as \($0)" } ?? ""
      error(
        value.isNull ? name.position : value.position,
        "“\(name.value)” must be a map\(example), not \(value.kind)")
    }
    return entry
  }
}
