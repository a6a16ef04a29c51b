import RackEngine
import RackModel
import RackSession
import UnitModel

/// A request of a peer, over any transport.
public enum Request: Sendable, Equatable {
  /// A change of the rack, which can be undone.
  case command(Command)
  /// The value of a parameter.
  case get(parameter: String)
  case list
  /// The units that can be added.
  case catalogue
  /// The rack's graph, drawn.
  case picture
  /// Puts a box of the drawn graph at a place; without a place back, without a name all.
  case layout(String?, at: BoxPlace?)
  /// What has happened.
  case log
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
  /// Takes hold of a parameter, and lets go of it.
  case touch(parameter: String)
  case release(parameter: String)
  /// Sends a message to a MIDI input or a unit.
  case midi([UInt8], to: String)
  /// Moves an expression of the notes of a key; the channel is counted from 0.
  case express(NoteExpression, value: Float, key: UInt8, channel: UInt8, to: String)
  /// Saves the settings of a unit as a user preset; deletes one.
  case savePreset(String, unit: String, replaces: Bool)
  case deletePreset(String, unit: String)
  /// Restarts the process of a unit.
  case restart(unit: String)
  /// An empty path: beside the rack's file.
  case startRecording(RecordingRequest)
  case stopRecording
  case startMoves(file: String)
  /// `file`: another than that of the start.
  case stopMoves(file: String?)
  case subscribe(Subscription)
  /// Watches signals of units, and no others, from now on: `echo.output.spectrum`.
  case watch([String])
  /// Sends a message of a unit's view to the unit.
  case message(String, channel: String, unit: String)
  /// `port`: where the events go, if not to the sender.
  case unsubscribe(port: UInt16?)
  /// From now on the connection speaks for a peer of the network.
  case guest

  /// The events that a peer receives.
  public struct Subscription: Sendable, Equatable {
    /// Times a second; nil for no meters.
    public var meters: Double?
    /// Whether to send the messages of the rack's MIDI inputs.
    public var midi = false
    /// The UDP port that OSC messages go to, if not the sender's.
    public var port: UInt16?
  }
}

extension Request {
  /// Whether it is carried out at once, even while a slow command is under way.
  var isImmediate: Bool {
    switch self {
    case .command(let command): command.isGesture
    case .startRecording, .stopRecording, .startMoves, .stopMoves: false
    case .savePreset, .deletePreset: false
    default: true
    }
  }
}

/// The answer to a request.
public enum Answer: Sendable, Encodable {
  /// The result, in a few words.
  case done(String)
  /// `revision`: the session's revision that was saved.
  case saved(String, revision: Int)
  /// Of a gesture, with the value that came of it.
  case moved(String, ParameterReading)
  case reading(ParameterReading)
  case listing(RackListing)
  case status(EngineSnapshot)
  case catalogue([CatalogueEntry])
  case picture(DrawnRack)
  case log([LogEntry])
  case text(String)

  private var value: any Encodable {
    switch self {
    case .done(let done), .saved(let done, _): ["done": done]
    case .moved(let done, let reading): Moved(done: done, value: reading)
    case .reading(let reading): reading
    case .listing(let listing): listing
    case .status(let status): status
    case .catalogue(let entries): entries
    case .picture(let drawing): drawing
    case .log(let entries): entries
    case .text(let text): text
    }
  }

  private struct Moved: Encodable {
    var done: String
    var value: ParameterReading
  }

  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
