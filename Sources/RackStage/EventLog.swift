import Documents
import Logging
import RackEngine

/// Logs each event of a playing rack as a line with metadata for programs.
public struct EventLog: Sendable {
  private let logger: Logger

  public init(_ logger: Logger) { self.logger = logger }

  public func write(_ event: EngineEvent) {
    let entry = event.entry
    // The level says that it is a warning.
    logger.log(
      level: entry.level, "\(event.text)",
      metadata: entry.metadata.merging(["event": "\(entry.name)"]) { $1 })
  }

  public func ready(_ status: EngineSnapshot) {
    logger.notice(
      "ready",
      metadata: [
        "event": "ready", "rack": "\(status.rack)", "client": "\(status.clientName)",
        "sample_rate": .stringConvertible(status.sampleRate),
        "buffer_size": .stringConvertible(status.bufferSize),
      ])
  }
}

private typealias Entry = (level: Logger.Level, name: String, metadata: Logger.Metadata)

extension EngineEvent {
  fileprivate var entry: Entry {
    switch self {
    case .remark: (.info, "remark", [:])
    case .warning: (.warning, "warning", [:])
    case .diagnostic(let diagnostic): diagnostic.entry
    case .playing(let rack): (.notice, "playing", ["rack": "\(rack)"])
    case .connected(let port, let other):
      (.info, "connected", ["port": "\(port)", "to": "\(other)"])
    // The link's key gives access to the rack, so that the link stays out of logs.
    case .page: (.info, "page", [:])
    case .scene(let name): (.info, "scene", ["scene": "\(name)"])
    case .song(let name): (.info, "song", ["song": "\(name)"])
    case .recordingStarted(let file, let channels, let isResumed):
      (
        .notice, isResumed ? "recording_resumed" : "recording_started",
        ["file": "\(file)", "channels": .stringConvertible(channels)]
      )
    case .recordingEnded(let recording):
      (
        recording.reason == nil ? .notice : .warning, "recording_ended",
        [
          "file": "\(recording.file)", "seconds": .stringConvertible(recording.length),
          "drop_outs": .stringConvertible(recording.dropOuts),
        ].merging(recording.reason.map { ["reason": "\($0)"] } ?? [:]) { $1 }
      )
    case .xrun(let total, let worst):
      (
        .warning, "xrun",
        ["total": .stringConvertible(total)].merging(worst?.metadata ?? [:]) { $1 }
      )
    case .unit(let name, let trouble): trouble.entry(of: name)
    case .tooLoud(let loud):
      (
        .warning, "output_too_loud",
        ["output": "\(loud.output)", "dbfs": .stringConvertible(loud.level)]
          .merging(loud.unit.map { ["unit": "\($0)"] } ?? [:]) { $1 }
      )
    case .serverLost(let reason): (.error, "server_lost", ["reason": "\(reason)"])
    case .serverReturned(let rate, let frames):
      (
        .notice, "server_returned",
        ["sample_rate": .stringConvertible(rate), "buffer_size": .stringConvertible(frames)]
      )
    case .ended(let reason): (.critical, "ended", ["reason": "\(reason)"])
    }
  }
}

extension Diagnostic {
  fileprivate var entry: Entry {
    let levels: [Severity: Logger.Level] = [.error: .error, .warning: .warning, .note: .info]
    return (
      levels[severity] ?? .info, "diagnostic",
      [
        "file": "\(file)", "line": .stringConvertible(position.line),
        "column": .stringConvertible(position.column),
      ]
    )
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
  fileprivate func entry(of unit: String) -> Entry {
    let (name, metadata): (String, Logger.Metadata) =
      switch self {
      case .late(let times): ("unit_late", ["times": .stringConvertible(times)])
      case .notFinite: ("unit_muted", [:])
      case .doesNotRender: ("unit_failed", [:])
      case .process(.restarted(let time)):
        ("unit_restarted", ["milliseconds": .stringConvertible(time)])
      case .process(.ended(let reason, let stack)):
        ("unit_ended", ["reason": "\(reason)", "stack": .array(stack.map { "\($0)" })])
      case .process(.givenUp(let deaths)):
        ("unit_given_up", ["deaths": .stringConvertible(deaths)])
      case .process(.failed(let reason)): ("unit_lost", ["reason": "\(reason)"])
      case .process(.refused(let call)): ("unit_refused", ["call": "\(call)"])
      case .line(let text, let lost):
        ("unit_line", ["text": "\(text)", "lost": .stringConvertible(lost)])
      }
    let level: Logger.Level =
      switch self {
      case .process(.restarted), .line: .notice
      default: .warning
      }
    return (level, name, metadata.merging(["unit": "\(unit)"]) { $1 })
  }
}
