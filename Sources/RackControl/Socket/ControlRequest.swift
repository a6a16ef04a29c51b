import Documents
import RackEngine
import RackModel

/// One line that a peer of the control socket sends.
struct ControlRequest: Decodable {
  /// Comes back with the answer; nil where the peer gives none.
  var id: ControlIdentifier?
  var body: Body

  enum Body {
    case command(Command)
    case get(parameter: String)
    case list
    case status
    case metrics
    /// `meters`: so many times a second; nil for none.
    case subscribe(meters: Double?)
    case engine(EngineRequest)
  }

  private static let words =
    [
      CommandWord("get", ["parameter"]), CommandWord("list"), CommandWord("status"),
      CommandWord("metrics"), CommandWord("subscribe", optional: ["meters"]),
    ] + EngineRequest.words

  init(from decoder: any Decoder) throws {
    let words = try CommandWords(from: decoder)
    guard let own = Self.words.first(where: { $0.word == words.word }) else {
      body = .command(try Self.command(words, decoder))
      return
    }
    try own.check(words.arguments)
    switch own.word {
    case "get": body = .get(parameter: words.arguments["parameter"] ?? "")
    case "list": body = .list
    case "status": body = .status
    case "metrics": body = .metrics
    case "subscribe":
      body = .subscribe(meters: try words.arguments["meters"].map(Self.meterRate))
    default:
      guard let request = try EngineRequest(own.word, words.arguments) else {
        throw Refusal("there is no command “\(own.word)”")
      }
      body = .engine(request)
    }
  }

  private static func command(_ words: CommandWords, _ decoder: any Decoder) throws -> Command {
    let known = (CommandWord.commands + Self.words).map(\.word)
    guard known.contains(words.word) else {
      throw Refusal(
        "there is no command “\(words.word)”", suggestion: nearestWord(to: words.word, in: known))
    }
    return try Command(from: decoder)
  }

  /// How often meters are told. Times a second
  static func meterRate(_ text: String) throws(Refusal) -> Double {
    guard let rate = Double(text), (0.1...50).contains(rate) else {
      throw Refusal("“meters” wants 0.1 to 50 times a second, not “\(text)”")
    }
    return rate
  }
}

/// What a peer calls its request: a text or a number.
enum ControlIdentifier: Codable, Equatable {
  case number(Int)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      throw Refusal("“id” must be a whole number or a text")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}
