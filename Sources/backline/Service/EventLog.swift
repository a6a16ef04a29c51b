import ArgumentParser
import Documents
import Logging
import RackEngine

/// The format of the log.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

struct LogOptions: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: """
      Log what goes on to standard error, a line each with its facts, as text or as JSON, in the place \
      of what is shown: for a service.
      """)
  var format: LogFormat?
}

/// Logs each event of a playing rack as a line with metadata for programs.
struct EventLog: Sendable {
  private let logger: Logger

  /// Nil without `--log`.
  init?(_ options: LogOptions) {
    switch options.format {
    case nil: return nil
    case .text:
      logger = Logger(label: "backline") { StreamLogHandler.standardError(label: $0) }
    case .json: logger = Logger(label: "backline") { _ in JSONLogHandler() }
    }
  }

  func note(_ event: EngineEvent) {
    logger.log(level: event.level, "\(event.message)", metadata: event.metadata)
  }

  /// Logs a message about a rack file.
  func note(_ diagnostic: Diagnostic) {
    let level: Logger.Level =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      case .note: .info
      }
    logger.log(
      level: level, "\(diagnostic.text)",
      metadata: [
        "event": "diagnostic", "file": "\(diagnostic.file)",
        "line": .stringConvertible(diagnostic.position.line),
        "column": .stringConvertible(diagnostic.position.column),
      ])
  }

  func ready(_ status: EngineSnapshot) {
    logger.notice(
      "ready",
      metadata: [
        "event": "ready", "rack": "\(status.rack)", "client": "\(status.clientName)",
        "sample_rate": .stringConvertible(status.sampleRate),
        "buffer_size": .stringConvertible(status.bufferSize),
      ])
  }
}

extension EngineEvent {
  fileprivate var level: Logger.Level {
    switch self {
    case .remark, .connected, .scene, .song: .info
    case .recordingEnded(let recording) where recording.reason != nil: .warning
    case .playing, .serverReturned, .unit(_, .process(.restarted)), .recordingStarted,
      .recordingEnded:
      .notice
    case .warning, .xrun, .unit: .warning
    case .serverLost: .error
    case .ended: .critical
    }
  }

  /// The text without "warning: ", which the level says.
  fileprivate var message: String {
    if case .warning(let text) = self { return text }
    let text = "\(self)"
    return text.hasPrefix("warning: ") ? String(text.dropFirst("warning: ".count)) : text
  }

  fileprivate var metadata: Logger.Metadata {
    switch self {
    case .remark: ["event": "remark"]
    case .warning: ["event": "warning"]
    case .playing(let rack): ["event": "playing", "rack": "\(rack)"]
    case .connected(let port, let other):
      ["event": "connected", "port": "\(port)", "to": "\(other)"]
    case .scene(let name): ["event": "scene", "scene": "\(name)"]
    case .song(let name): ["event": "song", "song": "\(name)"]
    case .recordingStarted(let file, let channels, let isResumed):
      [
        "event": isResumed ? "recording_resumed" : "recording_started", "file": "\(file)",
        "channels": .stringConvertible(channels),
      ]
    case .recordingEnded(let recording): recording.metadata
    case .xrun(let total, let worst):
      ["event": "xrun", "total": .stringConvertible(total)].merging(worst?.metadata ?? [:]) { $1 }
    case .unit(let name, let trouble):
      ["event": "\(trouble.word)", "unit": "\(name)"].merging(trouble.metadata) { $1 }
    case .serverLost(let reason): ["event": "server_lost", "reason": "\(reason)"]
    case .serverReturned(let rate, let frames):
      [
        "event": "server_returned", "sample_rate": .stringConvertible(rate),
        "buffer_size": .stringConvertible(frames),
      ]
    case .ended(let reason): ["event": "ended", "reason": "\(reason)"]
    }
  }
}

extension EngineSnapshot.EndedRecording {
  fileprivate var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = [
      "event": "recording_ended", "file": "\(file)", "seconds": .stringConvertible(length),
      "drop_outs": .stringConvertible(dropOuts),
    ]
    if let reason { metadata["reason"] = "\(reason)" }
    return metadata
  }
}

extension LateCycle {
  fileprivate var metadata: Logger.Metadata {
    [
      "nanoseconds": Self.whole(nanoseconds), "share": Self.thousandths(share),
      "units": .array(
        units.map { unit in
          [
            "unit": "\(unit.name)", "nanoseconds": Self.whole(unit.nanoseconds),
            "share": Self.thousandths(unit.share),
          ]
        }),
      "late": .array(late.map { "\($0)" }),
    ]
  }

  private static func whole(_ value: Double) -> Logger.Metadata.Value {
    .stringConvertible(Int(value))
  }

  private static func thousandths(_ value: Double) -> Logger.Metadata.Value {
    .stringConvertible((value * 1000).rounded() / 1000)
  }
}

extension EngineEvent.UnitTrouble {
  fileprivate var word: String {
    switch self {
    case .late: "unit_late"
    case .notFinite: "unit_muted"
    case .doesNotRender: "unit_failed"
    case .process(.restarted): "unit_restarted"
    case .process(.ended): "unit_ended"
    case .process(.givenUp): "unit_given_up"
    case .process(.failed): "unit_lost"
    case .process(.refused): "unit_refused"
    }
  }

  fileprivate var metadata: Logger.Metadata {
    switch self {
    case .late(let times): ["times": .stringConvertible(times)]
    case .process(.restarted(let time)): ["milliseconds": .stringConvertible(time)]
    case .process(.ended(let reason, let stack)):
      ["reason": "\(reason)", "stack": .array(stack.map { "\($0)" })]
    case .process(.failed(let reason)): ["reason": "\(reason)"]
    case .process(.givenUp(let deaths)): ["deaths": .stringConvertible(deaths)]
    case .process(.refused(let call)): ["call": "\(call)"]
    case .notFinite, .doesNotRender: [:]
    }
  }
}
