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

/// An event, which subscribers get between answers.
public enum ControlEvent: Codable, Sendable {
  /// Parameters that have changed.
  case values([ParameterReading])
  /// Other units or cables play: a list taken before is out of date.
  case rack(String)
  /// Boxes of the rack's graph have moved: a picture taken before is out of date.
  case layout(String)
  case meters(RackMeters)
  /// The state of a MIDI learn.
  case learning(Learning)
  /// What has come in at the rack's MIDI inputs.
  case midi(MIDIMessages)
  case state(SessionState)
  case log([LogEntry])
  /// What watched signals show.
  case telemetry([TelemetryReading])

  /// The rack first: values may be of its new units.
  static func events(of change: RackChange) -> [ControlEvent] {
    var events = change.rack.map { [ControlEvent.rack($0)] } ?? []
    events += change.layout.map { [.layout($0)] } ?? []
    events += change.learnings.map { .learning($0) }
    if !change.readings.isEmpty {
      events.append(.values(change.readings.sorted { $0.parameter < $1.parameter }))
    }
    events += change.state.map { [.state($0)] } ?? []
    events += change.log.isEmpty ? [] : [.log(change.log)]
    events += change.telemetry.isEmpty ? [] : [.telemetry(change.telemetry)]
    return events + (change.meters.map { [.meters($0)] } ?? [])
  }

  private enum Key: String, CodingKey {
    case event, values, rack, layout, meters, learning, midi, state, log, telemetry
  }

  private var member: (key: Key, value: any Encodable) {
    switch self {
    case .values(let readings): (.values, readings)
    case .rack(let name): (.rack, name)
    case .layout(let name): (.layout, name)
    case .meters(let meters): (.meters, meters)
    case .learning(let learning): (.learning, learning)
    case .midi(let messages): (.midi, messages)
    case .state(let state): (.state, state)
    case .log(let entries): (.log, entries)
    case .telemetry(let readings): (.telemetry, readings)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let (key, value) = member
    try container.encode(key.rawValue, forKey: .event)
    try container.encode(value, forKey: key)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self =
      switch Key(rawValue: try container.decode(String.self, forKey: .event)) {
      case .values: .values(try container.decode([ParameterReading].self, forKey: .values))
      case .learning: .learning(try container.decode(Learning.self, forKey: .learning))
      case .midi: .midi(try container.decode(MIDIMessages.self, forKey: .midi))
      case .rack: .rack(try container.decode(String.self, forKey: .rack))
      case .layout: .layout(try container.decode(String.self, forKey: .layout))
      case .state: .state(try container.decode(SessionState.self, forKey: .state))
      case .log: .log(try container.decode([LogEntry].self, forKey: .log))
      case .telemetry: .telemetry(try container.decode([TelemetryReading].self, forKey: .telemetry))
      default: .meters(try container.decode(RackMeters.self, forKey: .meters))
      }
  }
}
