import RackEngine
import RackModel
import RackSession

/// What a peer asks for, by whichever transport.
public enum Request: Sendable, Equatable {
  /// A change of the rack, which can be undone.
  case command(Command)
  /// The value of a parameter.
  case get(parameter: String)
  case list
  /// `since`: the `sampleTime` of an earlier status, for the peaks since then.
  case status(since: Int64?)
  case metrics
  /// Nil asks for the tempo.
  case tempo(String?)
  case tap
  case play
  case stop
  case locate(seconds: Double)
  /// Ends all notes.
  case panic
  /// Starts the process of a unit anew.
  case restart(unit: String)
  case startRecording(RecordingRequest)
  case stopRecording
  case startMoves(file: String)
  /// `file`: another than that of the start.
  case stopMoves(file: String?)
  case subscribe(Subscription)
  /// `port`: where the events go, if not to the sender.
  case unsubscribe(port: UInt16?)

  /// Which events a peer wants.
  public struct Subscription: Sendable, Equatable {
    /// Times a second; nil for no meters.
    public var meters: Double?
    /// Also what comes in at the rack's MIDI inputs.
    public var midi = false
    /// The UDP port that OSC messages go to, if not the sender's.
    public var port: UInt16?
  }
}

extension Request {
  /// Whether it is carried out at once, also while slow commands are under way.
  var isImmediate: Bool {
    switch self {
    case .command(let command): command.isGesture
    case .startRecording, .stopRecording, .startMoves, .stopMoves: false
    default: true
    }
  }
}

/// What comes back for a request.
public enum Answer: Sendable, Encodable {
  /// What was done, in a few words.
  case done(String)
  case reading(ParameterReading)
  case listing(RackListing)
  case status(EngineSnapshot)
  case text(String)

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .done(let done): try ["done": done].encode(to: encoder)
    case .reading(let reading): try reading.encode(to: encoder)
    case .listing(let listing): try listing.encode(to: encoder)
    case .status(let status): try status.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    }
  }
}
