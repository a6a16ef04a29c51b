import RackModel

/// A flat object of JSON with a “command” and its arguments: `{"command": "set", "parameter": "echo.mix",
/// "value": "30 %"}`. Numbers, `true` and `false` count as they are written; “id” is not an argument.
struct RequestWords: Decodable {
  var word: String
  var arguments: [String: String]

  init(from decoder: any Decoder) throws {
    guard let values = try? decoder.singleValueContainer().decode([String: Argument].self) else {
      throw Refusal("a request is an object such as {\"command\": \"list\"}")
    }
    var arguments: [String: String] = [:]
    for (name, value) in values where name != "id" && value != .nothing {
      guard let text = value.text else {
        throw Refusal("“\(name)” must be a text, a number, true or false")
      }
      arguments[name] = text
    }
    guard let word = arguments.removeValue(forKey: "command") else {
      throw Refusal("the request has no “command”")
    }
    (self.word, self.arguments) = (word, arguments)
  }

  private enum Argument: Decodable, Equatable {
    case text(String)
    case number(Double)
    case boolean(Bool)
    case nothing
    /// A list or an object.
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .nothing
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let boolean = try? container.decode(Bool.self) {
        self = .boolean(boolean)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .other
      }
    }

    var text: String? {
      switch self {
      case .text(let text): text
      case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
      case .boolean(let boolean): boolean ? "true" : "false"
      case .nothing, .other: nil
      }
    }
  }
}
