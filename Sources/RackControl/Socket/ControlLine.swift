import Documents
import FoundationEssentials
import Glibc
import RackEngine
import RackModel
import RackSession

/// The encoding of the lines of a control socket, each of which is a JSON object.
enum ControlLine {
  /// The version of the protocol.
  static let version = 1

  /// The first line that a peer receives.
  struct Greeting: Codable {
    var version = ControlLine.version
    /// The JACK client's name.
    var client: String
    var rack: String
    /// The words of the commands that are answered at once, which a page sends over a connection of their own.
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

  /// Parses a line into a command and the identifier that the answer repeats: `{"id": 1, "command": "set",
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

  /// Refuses a command whose age, in seconds, is above 1.5: the musician no longer expects its scene or song.
  private static func refuse(ifLate text: String) throws(Refusal) {
    guard let age = Double(text), age >= 0 else {
      throw Refusal("“age” must be the seconds since the hand moved, not “\(text)”")
    }
    guard age > 1.5 else { return }
    throw Refusal("late: it was called for \((age * 10).rounded() / 10) s ago")
  }
}
