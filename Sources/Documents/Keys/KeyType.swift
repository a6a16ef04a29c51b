/// The type of a key's value: how it is read, written and described.
package struct KeyType<Value> {
  package let schema: () -> JSONValue
  /// Reads the value; nil if it is wrong, which has been reported.
  package let read: (_ value: YAMLValue, _ key: String, DiagnosticCollector) -> Value?
  /// Returns the value to write; nil if the key can be left out.
  package let write: (Value) -> YAMLValue?
  /// Changes the value in the file from the former value to the new one; returns nil if it is
  /// removed.
  package let update: (_ node: YAMLValue, _ former: Value, _ value: Value) -> YAMLValue?

  package init(
    schema: @autoclosure @escaping () -> JSONValue,
    read: @escaping (YAMLValue, String, DiagnosticCollector) -> Value?,
    write: @escaping (Value) -> YAMLValue?,
    update: ((YAMLValue, Value, Value) -> YAMLValue?)? = nil
  ) {
    (self.schema, self.read, self.write) = (schema, read, write)
    self.update = update ?? { node, _, value in write(value).map(node.becoming) }
  }

  /// Returns the type with another schema.
  package func schema(_ schema: @autoclosure @escaping () -> JSONValue) -> KeyType {
    KeyType(schema: schema(), read: read, write: write, update: update)
  }
}

extension KeyType where Value == Located<String> {
  /// The type of a text or a number.
  package static var text: KeyType {
    KeyType(
      schema: ["type": ["string", "number"]], read: { $2.text($0, of: $1) },
      write: { .text($0.value) })
  }
}

extension KeyType where Value == Located<Int> {
  /// The type of an integer in a range.
  package static func count(_ range: ClosedRange<Int>? = nil) -> KeyType {
    KeyType(
      schema: range.map { .integer($0) } ?? ["type": "integer", "minimum": 0],
      read: { $2.count($0, of: $1, in: range) }, write: { .text("\($0.value)") })
  }
}

extension KeyType where Value: Sendable & Equatable {
  /// Returns the type of a value without its position; the file need not state the default.
  package static func unlocated(
    _ type: KeyType<Located<Value>>, default usual: Value
  ) -> KeyType {
    KeyType(
      schema: type.schema(), read: { type.read($0, $1, $2)?.value },
      write: { $0 == usual ? nil : type.write(Located($0)) })
  }
}

extension KeyType where Value == Bool {
  /// The type of a truth value; the file need not state false.
  package static var flag: KeyType {
    KeyType(
      schema: .truth, read: { $2.boolean($0, of: $1) }, write: { $0 ? .text("true") : nil },
      update: { node, _, value in node.saying(value) })
  }
}

extension KeyType where Value == Located<Bool> {
  package static var flag: KeyType {
    KeyType(
      schema: .truth,
      read: { value, key, diagnostics in
        diagnostics.boolean(value, of: key).map { Located($0, at: value.position) }
      },
      write: { .text("\($0.value)") }, update: { node, _, value in node.saying(value.value) })
  }
}

extension KeyType where Value == [Setting] {
  /// The type of values by key path, some of them in groups.
  package static var settings: KeyType {
    KeyType(
      schema: ["type": "object"], read: { $2.settings($0, of: $1) },
      write: { entries in
        entries.isEmpty
          ? nil : .map(entries.map { ($0.key.value, .text($0.value.value)) })
      },
      update: { node, former, entries in
        var node = node
        let indices = entries.map { entry in
          former.firstIndex { $0.key.value == entry.key.value }
        }
        node.updateSettings(from: former, to: entries, indices: indices)
        return node.pairs.isEmpty && entries.isEmpty ? nil : node
      })
  }
}

extension KeyType where Value: KeyedEntry {
  /// The type of a map with keys of its own, none of which is required.
  package static func map(_ empty: Value) -> KeyType {
    KeyType(
      schema: Value.schema,
      read: { value, key, diagnostics in
        var entry = empty
        if let pairs = diagnostics.pairs(value, of: key) {
          diagnostics.read(pairs, into: &entry, at: value.position)
        }
        return entry
      },
      write: { $0.tree.pairs.isEmpty ? nil : $0.tree },
      update: { node, former, entry in
        var node = node
        node.update(from: former, to: entry)
        return node
      })
  }
}
