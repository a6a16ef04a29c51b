/// A part of a file that is a map with fixed keys. One table says how each key is read, written and
/// described.
package protocol KeyedEntry {
  /// The entry's title for messages, tables and the schema: "a unit".
  static var title: String { get }
  /// The keys, in the order in which they are written.
  static var keys: [Key<Self>] { get }
  /// The property for entries that the table does not have; nil if they are errors.
  static var others: WritableKeyPath<Self, [Setting]>? { get }
  /// Returns for each of `settings`, under `others`, its index in `former`; nil for new ones.
  static func match(_ settings: [Setting], in former: [Setting]) -> [Int?]
}

extension KeyedEntry {
  package static var others: WritableKeyPath<Self, [Setting]>? { nil }
  package static func match(_ settings: [Setting], in former: [Setting]) -> [Int?] {
    settings.map { setting in former.firstIndex { $0.key.value == setting.key.value } }
  }
}

/// A row of the table of an entry's keys.
package struct Key<Entry> {
  package let name: String
  /// The documentation in Markdown, for the reference pages; its plain text is the description in
  /// the JSON Schema.
  package let documentation: String
  /// The name of the key in earlier versions.
  let formerName: String?
  /// Returns the error of an entry without the key; nil if the key is optional.
  let missing: ((Entry) -> String)?
  /// The key's schema; a closure, since only the schema's text needs it, and it is slow to create.
  let schema: () -> JSONValue
  let read: (YAMLValue, inout Entry, DiagnosticCollector) -> Void
  /// Returns the value to write; nil if the key can be left out.
  let value: (Entry) -> YAMLValue?
  /// Changes the value in the file from the former entry's to the new entry's; returns nil if it is
  /// removed.
  let update: (YAMLValue?, Entry, Entry) -> YAMLValue?

  /// A key that may be absent.
  package init<Value>(
    _ name: String, optional path: WritableKeyPath<Entry, Value?>, _ type: KeyType<Value>,
    formerly formerName: String? = nil, missing: ((Entry) -> String)? = nil,
    _ documentation: String
  ) {
    (self.name, self.documentation, self.formerName) = (name, documentation, formerName)
    (self.missing, schema) = (missing, type.schema)
    read = { value, entry, diagnostics in
      entry[keyPath: path] = type.read(value, name, diagnostics)
    }
    value = { $0[keyPath: path].flatMap(type.write) }
    update = { node, former, entry in
      guard let value = entry[keyPath: path] else { return nil }
      guard let node, let old = former[keyPath: path] else { return type.write(value) }
      return type.update(node, old, value)
    }
  }

  /// A key whose absence is also a value.
  package init<Value>(
    _ name: String, _ path: WritableKeyPath<Entry, Value>, _ type: KeyType<Value>,
    formerly formerName: String? = nil, missing: ((Entry) -> String)? = nil,
    _ documentation: String
  ) {
    (self.name, self.documentation, self.formerName) = (name, documentation, formerName)
    (self.missing, schema) = (missing, type.schema)
    read = { value, entry, diagnostics in
      if let value = type.read(value, name, diagnostics) { entry[keyPath: path] = value }
    }
    value = { type.write($0[keyPath: path]) }
    update = { node, former, entry in
      guard let node else { return type.write(entry[keyPath: path]) }
      return type.update(node, former[keyPath: path], entry[keyPath: path])
    }
  }
}

// MARK: - Reading

extension DiagnosticCollector {
  /// Reads the pairs of a map into an entry. Unknown and missing keys are errors.
  ///
  /// - Parameter position: the position at which a missing key is reported.
  package func read<Entry: KeyedEntry>(
    _ pairs: [YAMLPair], into entry: inout Entry, at position: SourcePosition
  ) {
    let keys = Entry.keys
    var others: [YAMLPair] = []
    for pair in pairs {
      if let key = keys.first(where: { $0.name == pair.key.value }) {
        key.read(pair.value, &entry, self)
      } else if Entry.others != nil {
        others.append(pair)
      } else {
        let word = pair.key.value
        let names = keys.map(\.name)
        error(
          pair.key.position,
          "\(Entry.title) has no “\(word)”; it has \(names.joined(separator: ", "))",
          suggestion: keys.first { $0.formerName == word }?.name ?? nearestWord(to: word, in: names)
        )
      }
    }
    if let path = Entry.others { entry[keyPath: path] = settings(others) }
    for key in keys {
      guard let missing = key.missing, !pairs.contains(where: { $0.key.value == key.name })
      else { continue }
      error(position, missing(entry))
    }
  }
}

// MARK: - Writing

extension KeyedEntry {
  /// The entry as a new map, without omissible keys.
  package var tree: YAMLValue {
    let settings = Self.others.map { self[keyPath: $0] } ?? []
    return .map(
      Self.keys.compactMap { key in key.value(self).map { (key.name, $0) } }
        + settings.map { ($0.key.value, .text($0.value.value)) })
  }
}

extension YAMLValue {
  /// Changes a map from `former` to `entry`; equal values stay as they are written.
  package mutating func update<Entry: KeyedEntry>(from former: Entry, to entry: Entry) {
    let keys = Entry.keys
    for (number, key) in keys.enumerated() where key.value(former) != key.value(entry) {
      set(
        key.name, to: key.update(self[key.name], former, entry),
        before: keys[(number + 1)...].map(\.name))
    }
    guard let path = Entry.others else { return }
    let (old, new) = (former[keyPath: path], entry[keyPath: path])
    updateSettings(from: old, to: new, indices: Entry.match(new, in: old))
  }
}

// MARK: - Describing

extension KeyedEntry {
  /// The JSON Schema of the map.
  package static var schema: JSONValue {
    let required = keys.filter { $0.missing != nil }.map(\.name)
    var schema: JSONValue = ["type": "object", "additionalProperties": .boolean(others != nil)]
    if !required.isEmpty { schema["required"] = .strings(required) }
    schema["properties"] = .object(
      keys.map { key in
        let schema = key.schema()
        guard case .object(let members) = schema else { return (key.name, schema) }
        return (
          key.name, .object([("description", .string(key.documentation.withoutMarkup))] + members)
        )
      })
    return schema
  }

  /// The table of the keys for the reference pages, in Markdown.
  package static var table: String {
    "| key of \(title) | value |\n|---|---|\n"
      + keys.map { key in
        "| `\(key.name)` | \(key.documentation)\(key.missing == nil ? "" : " Required.") |\n"
      }.joined()
  }
}

extension String {
  /// Markdown as plain text: without backticks, and with only the text of links.
  fileprivate var withoutMarkup: String {
    var result = ""
    var rest = self[...]
    while let character = rest.popFirst() {
      let link = rest.prefix { $0 != "]" }
      if character == "[", rest[link.endIndex...].hasPrefix("](") {
        result += link
        rest = rest[link.endIndex...].drop { $0 != ")" }.dropFirst()
      } else {
        result.append(character)
      }
    }
    return result.filter { $0 != "`" }
  }
}
