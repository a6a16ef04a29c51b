import FoundationEssentials
import Glibc
import Logging

/// Writes each log line to standard error as a JSON object: `time`, `level`, `message` and the
/// metadata.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var members = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(Value.init)
    members["time"] = .text(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(.now))
    members["level"] = .text(event.level.rawValue)
    members["message"] = .text("\(event.message)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(members) else { return }
    Terminal.complain(String(decoding: line, as: UTF8.self))
  }

  /// Numbers stay numbers, lists lists.
  private enum Value: Encodable {
    case text(String)
    case whole(Int)
    case number(Double)
    case list([Value])
    case members([String: Value])

    init(_ value: Logger.Metadata.Value) {
      switch value {
      case .stringConvertible(let number as Int): self = .whole(number)
      case .stringConvertible(let number as Double) where number.isFinite: self = .number(number)
      case .array(let values): self = .list(values.map(Value.init))
      case .dictionary(let members): self = .members(members.mapValues(Value.init))
      default: self = .text("\(value)")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .whole(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      case .list(let values): try container.encode(values)
      case .members(let members): try container.encode(members)
      }
    }
  }
}
