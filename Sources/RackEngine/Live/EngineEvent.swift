import AudioUnits
import Documents

/// An event for the musician while a rack plays.
public enum EngineEvent: Sendable, Equatable {
  /// A sentence.
  case remark(String)
  /// A sentence, with the remedy if there is one.
  case warning(String)
  /// An error or warning about a file that was read again.
  case diagnostic(Diagnostic)
  case unit(String, UnitTrouble)
  /// Reported each second for which the output stays closed.
  case tooLoud(LoudOutput)
  /// A rack has started to play, or has replaced another.
  case playing(rack: String)
  case connected(port: String, to: String)
  /// A control has recalled a scene.
  case scene(String)
  /// A song of the set list plays.
  case song(String)
  /// `isResumed`: continues in another file, after the server was away or its sample rate changed.
  case recordingStarted(file: String, channels: Int, isResumed: Bool)
  case recordingEnded(EngineSnapshot.EndedRecording)
  /// A link to the rack's page; `isLocal` for this machine, otherwise for another in its network.
  case page(String, isLocal: Bool)
  /// Cycles came late: the number since the engine started, and the worst new cycle if it is known. Reported
  /// once a second at most.
  case xrun(total: Int, worst: LateCycle?)
  /// The server has ended; the rack waits for the next server of its name.
  case serverLost(reason: String)
  /// The rack plays on at a new server; Hz and frames a cycle.
  case serverReturned(sampleRate: Double, bufferSize: Int)
  /// The server has ended, and the engine with it.
  case ended(reason: String)
}

extension EngineEvent {
  public enum UnitTrouble: Sendable, Equatable {
    /// The unit's process did not answer in time.
    case late(times: Int)
    /// The unit produced NaN or infinity.
    case notFinite
    case doesNotRender
    case process(ProcessEvent)
    /// A line of the unit for the log; `lost` lines before this line were dropped, since they came too fast.
    case line(String, lost: Int)
  }
}

extension EngineEvent.UnitTrouble {
  /// Returns a sentence that names the unit.
  fileprivate func sentence(of unit: String) -> String {
    switch self {
    case .late(let times):
      "\(unit) did not answer in time\(times == 1 ? "" : ", \(times) times");"
        + " its input was heard instead"
    case .notFinite: "\(unit) produced NaN or infinity; it was muted and reset"
    case .doesNotRender: "\(unit) does not render; it is silent"
    case .process(let event): "\(unit): \(event)"
    case .line(let text, let lost):
      "\(unit): \(text)" + (lost > 0 ? " (after \(lost) more, which came too fast)" : "")
    }
  }
}

extension EngineEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .warning, .unit, .tooLoud, .recordingEnded: isWarning ? "warning: \(text)" : text
    default: text
    }
  }

  /// Whether the event needs attention.
  public var isWarning: Bool {
    switch self {
    case .warning, .tooLoud, .xrun, .serverLost, .ended: true
    case .unit(_, .process(let event)): !event.isRestart
    case .unit(_, .line): false
    case .unit: true
    case .diagnostic(let diagnostic): diagnostic.severity != .note
    case .recordingEnded(let recording): recording.reason != nil
    default: false
    }
  }

  /// A sentence, without a mark of a warning.
  public var text: String {
    switch self {
    case .remark(let text), .warning(let text): text
    case .diagnostic(let diagnostic): "\(diagnostic)"
    case .unit(let name, .process(let event)) where event.isRestart: "\(name) \(event)"
    case .unit(let name, let trouble): trouble.sentence(of: name)
    case .tooLoud(let output): "\(output)"
    case .playing(let rack): "playing \(rack)"
    case .scene(let name): "scene \(name)"
    case .song(let name): "song \(name)"
    case .recordingStarted(let file, let channels, _):
      "recording \(channels == 1 ? "1 channel" : "\(channels) channels") into \(file)"
    case .recordingEnded(let recording):
      recording.reason == nil
        ? "\(recording)"
        : "\(recording); what was written can be played, and the rack plays on"
    case .page(let link, _): "page \(link)"
    case .connected(let port, let other): "connected \(port) to \(other)"
    case .xrun(let total, let worst):
      "xruns so far: \(total)" + (worst.map { "; \($0)" } ?? "")
    case .serverLost(let reason):
      "the JACK server ended (\(reason)); waiting for it to come back"
    case .serverReturned(let rate, let frames):
      "the JACK server is back, \(Int(rate)) Hz, \(frames) frames; playing on"
    case .ended(let reason): "the JACK server ended: \(reason)"
    }
  }
}

extension ProcessEvent {
  fileprivate var isRestart: Bool { if case .restarted = self { true } else { false } }
}
