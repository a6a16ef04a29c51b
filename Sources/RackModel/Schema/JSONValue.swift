/// A JSON text in the making: members keep their order, so that the result repeats.
indirect enum JSONValue {
  case string(String)
  case number(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// With two spaces for each level.
  func text(indentation: Int = 0) -> String {
    let inner = String(repeating: "  ", count: indentation + 1)
    let outer = String(repeating: "  ", count: indentation)
    switch self {
    case .string(let text): return Self.quoted(text)
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
        "\(inner)\(Self.quoted($0.0)): \($0.1.text(indentation: indentation + 1))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}
