import Documents
import OSC
import RackEngine
import RackModel

/// What a message asks for.
enum OSCRequest: Equatable {
  case command(Command)
  case engine(EngineRequest)
  /// Of every parameter that the address means.
  case set(address: String, value: String)
  case get(address: String)
  case list
  case status
  /// `meters`: so many times a second; nil for none. `port`: where to, if not where it came from.
  case subscribe(meters: Double?, port: UInt16?)
  /// `port`: where it is told, if not where it came from.
  case unsubscribe(port: UInt16?)
  /// An answer to something of ours, as another rack would give it; answered by nothing, or the two
  /// would never end.
  case answer

  /// Those that are no commands.
  private static let words = [
    CommandWord("get", ["parameter"]), CommandWord("list"), CommandWord("status"),
    CommandWord("subscribe", optional: ["meters", "port"]),
    CommandWord("unsubscribe", optional: ["port"]),
  ]

  /// - Throws: `Refusal` where it is none.
  init(_ message: OSCMessage) throws(Refusal) {
    let parts = message.address.split(separator: "/", omittingEmptySubsequences: false)
    guard message.address.hasPrefix("/"), parts.dropFirst().allSatisfy({ !$0.isEmpty }) else {
      throw Refusal("“\(message.address)” is no address such as /echo/mix or /undo")
    }
    if parts.count == 2 {
      self = try Self.word(String(parts[1]), try Self.texts(of: message))
    } else if message.arguments.isEmpty {
      self = .get(address: message.address)
    } else if message.arguments.count == 1 {
      self = .set(address: message.address, value: try Self.texts(of: message)[0])
    } else {
      throw Refusal("“\(message.address)” takes one value, not \(message.arguments.count)")
    }
  }

  private static func texts(of message: OSCMessage) throws(Refusal) -> [String] {
    var texts: [String] = []
    for argument in message.arguments {
      guard let text = argument.written else {
        throw Refusal("“\(message.address)” takes numbers and texts")
      }
      texts.append(text)
    }
    return texts
  }

  private static func word(_ word: String, _ texts: [String]) throws(Refusal) -> OSCRequest {
    if word == "reply" || word == "error" { return .answer }
    let known = CommandWord.commands + EngineRequest.words + words
    guard let found = known.first(where: { $0.word == word }) else {
      throw Refusal(
        "there is no command “/\(word)”",
        suggestion: nearestWord(to: word, in: known.map(\.word)).map { "/\($0)" })
    }
    let arguments = try found.arguments(texts)
    switch word {
    case "get":
      return .get(address: arguments["parameter"] ?? "")
    case "list": return .list
    case "status": return .status
    case "subscribe":
      return .subscribe(meters: try rate(arguments["meters"]), port: try port(arguments["port"]))
    case "unsubscribe": return .unsubscribe(port: try port(arguments["port"]))
    default:
      if let request = try EngineRequest(word, arguments) { return .engine(request) }
      return .command(try Command(word, arguments))
    }
  }

  private static func rate(_ text: String?) throws(Refusal) -> Double? {
    guard let text, Double(text) != 0 else { return nil }
    return try ControlRequest.meterRate(text)
  }

  private static func port(_ text: String?) throws(Refusal) -> UInt16? {
    guard let text else { return nil }
    guard let number = Double(text), let port = UInt16(exactly: number), port > 0 else {
      throw Refusal("“port” wants 1 to 65535, not “\(text)”")
    }
    return port
  }
}

extension CommandWord {
  /// Arguments by name out of a row: those that it must have, then those that it may.
  fileprivate func arguments(_ texts: [String]) throws(Refusal) -> [String: String] {
    let names = required + optional
    guard texts.count <= names.count else {
      throw Refusal("“/\(word)” takes \(names.count) arguments at the most, not \(texts.count)")
    }
    let arguments = Dictionary(uniqueKeysWithValues: zip(names, texts))
    try check(arguments)
    return arguments
  }
}
