import AudioUnits

/// What a musician should hear about while a rack plays, besides the meters.
public enum EngineEvent: Sendable, Equatable {
  /// Something that was chosen or noticed; a sentence.
  case remark(String)
  /// Something that wants attention; a sentence, with the cure where there is one.
  case warning(String)
  /// What has become of a unit.
  case unit(String, UnitTrouble)
  /// The rack is playing, or another has taken its place.
  case playing(rack: String)
  case connected(port: String, to: String)
  /// A control has recalled a scene.
  case scene(String)
  /// A song of the set list plays.
  case song(String)
  /// What the rack gives is written into a file from now on; `isResumed`: into the next, after the server
  /// was away or its sample rate changed.
  case recordingStarted(file: String, channels: Int, isResumed: Bool)
  case recordingEnded(EngineSnapshot.EndedRecording)
  /// Cycles came late: how many since the engine began, told once a second at most; with the worst
  /// of those that are new, where it is known.
  case xrun(total: Int, worst: LateCycle?)
  /// The server is gone; the rack waits for one of its name, with all that it knows.
  case serverLost(reason: String)
  /// A server is there again, and the rack plays on from where it was; Hz and frames a cycle.
  case serverReturned(sampleRate: Double, bufferSize: Int)
  /// The server is gone, and the engine was to end with it.
  case ended(reason: String)
}

extension EngineEvent {
  /// What can become of a unit.
  public enum UnitTrouble: Sendable, Equatable {
    /// It did not answer in time, so many times.
    case late(times: Int)
    /// It produced NaN or infinity.
    case notFinite
    case doesNotRender
    case process(ProcessEvent)
  }
}

extension EngineEvent.UnitTrouble {
  /// A sentence that names the unit.
  fileprivate func sentence(of unit: String) -> String {
    switch self {
    case .late(let times):
      "\(unit) did not answer in time\(times == 1 ? "" : ", \(times) times");"
        + " its input was heard instead"
    case .notFinite: "\(unit) produced NaN or infinity; it was muted and reset"
    case .doesNotRender: "\(unit) does not render; it is silent"
    case .process(let event): "\(unit): \(event)"
    }
  }
}

extension EngineEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .remark(let text): text
    case .warning(let text): "warning: \(text)"
    case .unit(let name, .process(let event)) where event.isRestart: "\(name) \(event)"
    case .unit(let name, let trouble): "warning: \(trouble.sentence(of: name))"
    case .playing(let rack): "playing \(rack)"
    case .scene(let name): "scene \(name)"
    case .song(let name): "song \(name)"
    case .recordingStarted(let file, let channels, _):
      "recording \(channels == 1 ? "1 channel" : "\(channels) channels") into \(file)"
    case .recordingEnded(let recording):
      recording.reason == nil
        ? "\(recording)"
        : "warning: \(recording); what was written can be played, and the rack plays on"
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
