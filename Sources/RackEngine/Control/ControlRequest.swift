import Documents
import RackModel
import UnitModel

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
    case startRecording(RecordingRequest)
    case stopRecording
    case tempo(String)
    case tap
    case play
    case stop
    case locate(seconds: Double)
    case startMoves(file: String)
    /// Into another file than that of the start.
    case stopMoves(file: String?)
  }

  private static let words = [
    CommandWord("get", ["parameter"]), CommandWord("list"), CommandWord("status"),
    CommandWord("metrics"),
    CommandWord("subscribe", optional: ["meters"]),
    CommandWord("tempo", ["value"]), CommandWord("tap"), CommandWord("play"), CommandWord("stop"),
    CommandWord("locate", ["to"]), CommandWord("automate", ["action"], optional: ["file"]),
    CommandWord("record", ["action"], optional: ["file", "of", "samples"]),
  ]

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
    case "tempo": body = .tempo(words.arguments["value"] ?? "")
    case "tap": body = .tap
    case "play": body = .play
    case "stop": body = .stop
    case "locate": body = .locate(seconds: try Self.time(words.arguments["to"] ?? ""))
    case "automate":
      let action = try Self.action(of: words.arguments, ["start", "stop"])
      if action == "stop" {
        body = .stopMoves(file: words.arguments["file"])
      } else if let file = words.arguments["file"] {
        body = .startMoves(file: file)
      } else {
        throw Refusal("“automate” wants “file”")
      }
    case "record": body = try Self.recording(words.arguments)
    default: body = .subscribe(meters: try words.arguments["meters"].map(Self.meterRate))
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

  private static func recording(_ arguments: [String: String]) throws(Refusal) -> Body {
    let action = try action(of: arguments, ["start", "stop"])
    if action == "stop" { return .stopRecording }
    guard let file = arguments["file"] else { throw Refusal("“record” wants “file”") }
    let sources = (arguments["of"] ?? "").split(separator: ",").map {
      String($0.trimmingSpaces())
    }
    let samples = try arguments["samples"].map { (text) throws(Refusal) in
      guard let samples = SampleFormat(rawValue: text) else {
        let known = SampleFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal("“samples” is one of \(known), not “\(text)”")
      }
      return samples
    }
    return .startRecording(RecordingRequest(path: file, sources: sources, samples: samples))
  }

  private static func time(_ text: String) throws -> Double {
    do {
      return Double(try Quantity.parse(text, for: transportTime, name: "to"))
    } catch {
      throw Refusal(error.description, suggestion: error.suggestion)
    }
  }

  /// As long as JACK counts frames at any rate.
  private static let transportTime = ParameterInfo(
    identifier: "to", name: "to", unit: .seconds, minimum: 0, maximum: 20_000, defaultValue: 0)

  private static func action(
    of arguments: [String: String], _ known: [String]
  ) throws(Refusal) -> String {
    let action = arguments["action"] ?? ""
    guard known.contains(action) else {
      throw Refusal(
        "“action” is one of \(known.joined(separator: ", ")), not “\(action)”",
        suggestion: nearestWord(to: action, in: known))
    }
    return action
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
