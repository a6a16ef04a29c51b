/// A JSON value whose members keep their order, so that its text is deterministic.
package indirect enum JSONValue: Sendable {
  case string(String)
  case number(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// Returns the JSON text, indented by two spaces per level.
  package func text(indentation: Int = 0) -> String {
    let inner = String(repeating: "  ", count: indentation + 1)
    let outer = String(repeating: "  ", count: indentation)
    switch self {
    case .string(let text): return text.quoted
    case .number(let number):
      return number == number.rounded() && abs(number) < 1e15
        ? String(Int(number)) : number.description
    case .boolean(let value): return value ? "true" : "false"
    case .array(let values) where values.isEmpty: return "[]"
    case .array(let values):
      let lines = values.map { inner + $0.text(indentation: indentation + 1) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
    case .object(let members) where members.isEmpty: return "{}"
    case .object(let members):
      let lines = members.map {
        "\(inner)\($0.0.quoted): \($0.1.text(indentation: indentation + 1))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}

extension JSONValue {
  /// A member of an object.
  package subscript(name: String) -> JSONValue {
    get {
      guard case .object(let members) = self else { return .object([]) }
      return members.first { $0.0 == name }?.1 ?? .object([])
    }
    set {
      guard case .object(var members) = self else { return }
      if let index = members.firstIndex(where: { $0.0 == name }) {
        members[index].1 = newValue
      } else {
        members.append((name, newValue))
      }
      self = .object(members)
    }
  }

  /// Returns the object with another member.
  package func with(_ name: String, _ value: JSONValue) -> JSONValue {
    var object = self
    object[name] = value
    return object
  }

  /// Returns the schema of an integer in a range.
  package static func integer(_ range: ClosedRange<Int>) -> JSONValue {
    [
      "type": "integer", "minimum": .number(Double(range.lowerBound)),
      "maximum": .number(Double(range.upperBound)),
    ]
  }

  /// The schema of a truth value. YAML 1.1 and 1.2 spell it differently; both spellings are accepted.
  package static let truth: JSONValue = [
    "anyOf": [
      ["type": "boolean"],
      [
        "type": "string",
        "pattern": "^([Tt]rue|[Ff]alse|[Yy]es|[Nn]o|[Oo]n|[Oo]ff|TRUE|FALSE|YES|NO|ON|OFF)$",
      ],
    ]
  ]

  package static func strings(_ words: some Sequence<String>) -> JSONValue {
    .array(words.map { .string($0) })
  }
}

extension String {
  /// The text in double quotes, as JSON and YAML read it.
  var quoted: String {
    let escaped = unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case _ where scalar.value < 32 || scalar.value == 127:
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
