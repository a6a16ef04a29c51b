import FoundationEssentials
import Glibc
import RackEngine
import RackModel
import RackSession

/// What goes over a control socket, a line of JSON each.
enum ControlLine {
  /// Of what is sent here; without the line's end.
  static let version = 1

  /// The first line that a peer gets.
  struct Greeting: Codable {
    var version = ControlLine.version
    /// The JACK client's name.
    var client: String
    var rack: String
  }

  /// The answer to a command.
  struct Done: Codable {
    var done: String
  }

  struct Answer<Result: Encodable>: Encodable {
    var id: ControlIdentifier?
    var result: Result
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

  /// What a line asks, and what it calls the request where it is wrong.
  static func request(
    _ line: [UInt8]
  ) -> (id: ControlIdentifier?, request: Result<ControlRequest.Body, Refusal>) {
    struct Identified: Decodable { var id: ControlIdentifier? }
    let decoder = JSONDecoder()
    let data = Data(line)
    do {
      let id = try decoder.decode(Identified.self, from: data).id
      do {
        return (id, .success(try decoder.decode(ControlRequest.self, from: data).body))
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

/// What a peer that has subscribed is told, besides answers.
public enum ControlEvent: Codable, Sendable {
  /// Parameters that have other values.
  case values([ParameterReading])
  /// Other units or cables play: a list taken before is out of date.
  case rack(String)
  case meters(Meters)
  /// Something of MIDI is to be mapped, or has been.
  case learning(Learning)

  public struct Meters: Codable, Sendable {
    public var inputs: [EngineSnapshot.Meter]
    public var outputs: [EngineSnapshot.Meter]
    /// Of each unit's first output bus.
    public var units: [EngineSnapshot.Meter]

    init(_ status: EngineSnapshot) {
      (inputs, outputs) = (status.inputs, status.outputs)
      units = status.units.map { .init(name: $0.name, peak: $0.peak, rms: $0.rms) }
    }
  }

  private enum Key: String, CodingKey { case event, values, rack, meters, learning }

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
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .event) {
    case "values":
      self = .values(try container.decode([ParameterReading].self, forKey: .values))
    case "learning":
      self = .learning(try container.decode(Learning.self, forKey: .learning))
    case "rack": self = .rack(try container.decode(String.self, forKey: .rack))
    default: self = .meters(try container.decode(Meters.self, forKey: .meters))
    }
  }
}
