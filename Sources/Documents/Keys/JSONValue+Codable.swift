extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let boolean = try? container.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONValue].self).map { ($0, $1) })
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .boolean(let boolean): try container.encode(boolean)
    case .number(let number):
      if let whole = Int(exactly: number) {
        try container.encode(whole)
      } else {
        try container.encode(number)
      }
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(Dictionary(members) { $1 })
    }
  }
}
