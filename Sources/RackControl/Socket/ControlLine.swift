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
  }

  struct Reply: Encodable {
    var id: ControlIdentifier?
    var result: Answer
  }

  struct Failure: Encodable {
    var id: ControlIdentifier?
    var error: String
  }

  static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(value) else { return [] }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// The request of a line, and the identifier that comes back with its answer.
  static func request(
    _ line: [UInt8]
  ) -> (id: ControlIdentifier?, request: Result<Request, Refusal>) {
    struct Identified: Decodable { var id: ControlIdentifier? }
    let decoder = JSONDecoder()
    let data = Data(line)
    do {
      let id = try decoder.decode(Identified.self, from: data).id
      do {
        let words = try decoder.decode(RequestWords.self, from: data)
        return (id, .success(try CommandDeclaration.named(words.word).request(words.arguments)))
      } catch {
        return (id, .failure(refusal(error)))
      }
    } catch {
      return (nil, .failure(refusal(error)))
    }
  }

  private static func refusal(_ error: any Error) -> Refusal {
    if let refusal = error as? Refusal { return refusal }
    return Refusal("a request is one line of JSON such as {\"command\": \"list\"}")
  }
}

/// An event, which subscribers get between answers.
public enum ControlEvent: Codable, Sendable {
  /// Parameters that have changed.
  case values([ParameterReading])
  /// Other units or cables play: a list taken before is out of date.
  case rack(String)
  case meters(RackMeters)
  /// The state of a MIDI learn.
  case learning(Learning)
  /// What has come in at the rack's MIDI inputs.
  case midi(MIDIMessages)

  /// The rack first: values may be of its new units.
  static func events(of change: RackChange) -> [ControlEvent] {
    var events = change.rack.map { [ControlEvent.rack($0)] } ?? []
    events += change.learnings.map { .learning($0) }
    if !change.readings.isEmpty {
      events.append(.values(change.readings.sorted { $0.parameter < $1.parameter }))
    }
    return events + (change.meters.map { [.meters($0)] } ?? [])
  }

  private enum Key: String, CodingKey { case event, values, rack, meters, learning, midi }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .values(let readings):
      try container.encode("values", forKey: .event)
      try container.encode(readings, forKey: .values)
    case .rack(let name):
      try container.encode("rack", forKey: .event)
      try container.encode(name, forKey: .rack)
    case .meters(let meters):
      try container.encode("meters", forKey: .event)
      try container.encode(meters, forKey: .meters)
    case .learning(let learning):
      try container.encode("learning", forKey: .event)
      try container.encode(learning, forKey: .learning)
    case .midi(let messages):
      try container.encode("midi", forKey: .event)
      try container.encode(messages, forKey: .midi)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .event) {
    case "values":
      self = .values(try container.decode([ParameterReading].self, forKey: .values))
    case "learning":
      self = .learning(try container.decode(Learning.self, forKey: .learning))
    case "midi": self = .midi(try container.decode(MIDIMessages.self, forKey: .midi))
    case "rack": self = .rack(try container.decode(String.self, forKey: .rack))
    default: self = .meters(try container.decode(RackMeters.self, forKey: .meters))
    }
  }
}

/// The identifier that a peer gives its request: a whole number or a text.
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
