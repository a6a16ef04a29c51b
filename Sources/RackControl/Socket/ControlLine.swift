import Documents
import FoundationEssentials
import Glibc
import RackEngine
import RackModel
import RackSession

/// The lines of a control socket: an object of JSON each.
enum ControlLine {
  /// Of the protocol.
  static let version = 1

  /// The first line that a peer gets.
  struct Greeting: Codable {
    var version = ControlLine.version
    /// The JACK client's name.
    var client: String
    var rack: String
    /// The words of the commands whose answers wait for nothing: a page sends them beside the others.
    var immediate = Commands.words { !$0.isSlow }
  }

  struct Reply: Encodable {
    var id: JSONValue?
    var result: Answer
  }

  struct Failure: Encodable {
    var id: JSONValue?
    var error: String
  }

  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      return bytes(Failure(error: "this cannot be written as JSON: \(error)"))
    }
  }

  /// The command of a line, and the identifier that its answer repeats: `{"id": 1, "command": "set",
  /// "parameter": "echo.mix", "value": "30 %"}`.
  static func command(_ line: [UInt8]) -> (id: JSONValue?, command: Result<any Command, any Error>)
  {
    guard let values = try? JSONDecoder().decode([String: JSONValue?].self, from: Data(line)) else {
      let reason = "a request is one line of JSON such as {\"command\": \"list\"}"
      return (nil, .failure(Refusal(reason)))
    }
    let members = values.compactMapValues(\.self)
    let id = members["id"]
    switch id {
    case nil, .string: break
    case .number(let number) where Int(exactly: number) != nil && abs(number) < 0x1p53: break
    default:
      return (nil, .failure(Refusal("“id” must be a whole number below 2^53, or a text")))
    }
    return (id, Result { try command(members.filter { $0.key != "id" }) })
  }

  private static func command(_ members: [String: JSONValue]) throws -> any Command {
    var arguments: [String: String] = [:]
    for (name, value) in members {
      switch value {
      case .string(let text): arguments[name] = text
      case .number, .boolean: arguments[name] = value.text()
      case .array, .object:
        throw Refusal("“\(name)” must be a text, a number, true or false")
      }
    }
    guard let word = arguments.removeValue(forKey: "command") else {
      throw Refusal("the request has no “command”")
    }
    let command = try Commands.named(word)
    if let age = arguments.removeValue(forKey: "age"), command.declaration.expires {
      try refuse(ifLate: age)
    }
    return try command.read(arguments)
  }

  /// A scene or a song that a hand called for some time ago is not what it wants now.
  private static func refuse(ifLate text: String) throws(Refusal) {
    guard let age = Double(text), age >= 0 else {
      throw Refusal("“age” must be the seconds since the hand moved, not “\(text)”")
    }
    guard age > 1.5 else { return }
    throw Refusal("late: it was called for \((age * 10).rounded() / 10) s ago")
  }
}
