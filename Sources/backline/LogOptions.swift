import ArgumentParser
import Documents
import FoundationEssentials
import Glibc
import Logging
import RackStage

/// The format of the log.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

struct LogOptions: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: """
      Log events to standard error, a line each with its facts, as text or as JSON, and show nothing: \
      for a service.
      """)
  var format: LogFormat?

  /// The log; nil without `--log`.
  var log: EventLog? {
    format.map { format in
      EventLog(
        Logger(label: "backline") { label -> any LogHandler in
          switch format {
          case .text: StreamLogHandler.standardError(label: label)
          case .json: JSONLogHandler()
          }
        })
    }
  }
}

/// A log handler that writes each entry to standard error as a JSON object: `time`, `level`, `message` and the
/// metadata.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var members = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(JSONValue.init)
    members["time"] = .string(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(.now))
    members["level"] = .string(event.level.rawValue)
    members["message"] = .string("\(event.message)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(members) else { return }
    Terminal.complain(String(decoding: line, as: UTF8.self))
  }
}

extension JSONValue {
  /// Converts metadata, in which numbers stay numbers and lists stay lists.
  fileprivate init(_ value: Logger.Metadata.Value) {
    switch value {
    case .stringConvertible(let number as Int): self = .number(Double(number))
    case .stringConvertible(let number as Double) where number.isFinite: self = .number(number)
    case .array(let values): self = .array(values.map(JSONValue.init))
    case .dictionary(let members): self = .object(members.map { ($0, JSONValue($1)) })
    default: self = .string("\(value)")
    }
  }
}
