/// A value that people write as a word or a few words: read from a text, and written as its description.
package protocol WrittenValue: CustomStringConvertible, Equatable, Sendable {
  init(written text: String) throws(Refusal)
}

/// A value that is one of a few words.
package protocol WordValue: WrittenValue {
  /// The kind of value with its article, for messages: "a curve".
  static var kind: String { get }
  static var all: [Self] { get }
}

extension WordValue {
  package init(written text: String) throws(Refusal) {
    guard let value = Self.all.first(where: { "\($0)" == text }) else {
      throw Refusal(text, isNot: Self.kind, known: Self.all.map(\.description))
    }
    self = value
  }

  package static var schema: JSONValue { ["enum": .strings(all.map(\.description))] }
}

extension KeyType {
  /// Returns the type of a value that a function parses from a text.
  package static func parsed<Parsed>(
    schema: @autoclosure @escaping () -> JSONValue = ["type": ["string", "number"]],
    _ parse: @escaping (String) throws(Refusal) -> Parsed,
    written: @escaping (Parsed) -> String = { "\($0)" }
  ) -> KeyType where Value == Located<Parsed> {
    KeyType(
      schema: schema(),
      read: { value, key, diagnostics in
        diagnostics.text(value, of: key).flatMap { text in
          diagnostics.value(of: text, parse).map { Located($0, at: text.position) }
        }
      },
      write: { .text(written($0.value)) })
  }

  package static func written<Written: WrittenValue>(
    _ schema: @autoclosure @escaping () -> JSONValue = ["type": ["string", "number"]]
  ) -> KeyType where Value == Located<Written> {
    .parsed(schema: schema(), Written.init(written:))
  }

  package static func word<Word: WordValue>() -> KeyType where Value == Located<Word> {
    .written(Word.schema)
  }

  /// Returns the type of a list of such values.
  ///
  /// - Parameter example: an example for messages: "such as [Effects, Filter]".
  package static func list<Element>(
    of type: KeyType<Located<Element>>, _ example: String
  ) -> KeyType where Value == [Located<Element>] {
    KeyType(
      schema: ["type": "array", "items": type.schema()],
      read: { value, key, diagnostics in
        diagnostics.items(value, of: key, example)?
          .compactMap { type.read($0, key, diagnostics) }
      },
      write: { $0.isEmpty ? nil : .list($0.compactMap(type.write)) })
  }
}
