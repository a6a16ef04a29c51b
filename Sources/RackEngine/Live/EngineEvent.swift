/// What a musician should hear about while a rack plays, besides the meters.
public enum EngineEvent: Sendable, Equatable {
  /// Something that was chosen or noticed; a sentence.
  case remark(String)
  /// Something that wants attention; a sentence, with the cure where there is one.
  case warning(String)
  /// The rack is playing, or another has taken its place.
  case playing(rack: String)
  case connected(port: String, to: String)
  /// A control has recalled a scene.
  case scene(String)
  /// A song of the set list plays.
  case song(String)
  /// Cycles came late: how many since the engine began, told once a second at most; with the unit
  /// that took longest of all in those that are new, if any, and its nanoseconds.
  case xrun(total: Int, longestUnit: String?, nanoseconds: Double)
  /// The server is gone; the rack waits for one of its name, with all that it knows.
  case serverLost(reason: String)
  /// A server is there again, and the rack plays on from where it was; Hz and frames a cycle.
  case serverReturned(sampleRate: Double, bufferSize: Int)
  /// The server is gone, and the engine was to end with it.
  case ended(reason: String)
}

extension EngineEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .remark(let text): text
    case .warning(let text): "warning: \(text)"
    case .playing(let rack): "playing \(rack)"
    case .scene(let name): "scene \(name)"
    case .song(let name): "song \(name)"
    case .connected(let port, let other): "connected \(port) to \(other)"
    case .xrun(let total, nil, _): "xruns so far: \(total)"
    case .xrun(let total, let unit?, let time):
      "xruns so far: \(total); longest: \(unit), \(Int(time / 1000)) µs"
    case .serverLost(let reason):
      "the JACK server ended (\(reason)); waiting for it to come back"
    case .serverReturned(let rate, let frames):
      "the JACK server is back, \(Int(rate)) Hz, \(frames) frames; playing on"
    case .ended(let reason): "the JACK server ended: \(reason)"
    }
  }
}
