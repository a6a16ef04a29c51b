import RackModel
import SoundFiles

/// What is to be rendered into files.
public struct OfflineJob: Sendable {
  /// A MIDI message for one of the rack's MIDI inputs.
  public struct Message: Sendable {
    /// Place in the plan's MIDI inputs.
    public var port: Int
    /// Seconds from the beginning.
    public var time: Double
    public var bytes: [UInt8]

    public init(port: Int, time: Double, bytes: [UInt8]) {
      (self.port, self.time, self.bytes) = (port, time, bytes)
    }
  }

  /// Sound files by the names of the rack's inputs; inputs not named here are silent.
  public var inputs: [String: String] = [:]
  /// Files to be written by the names of the rack's outputs: sound files, or MIDI files for MIDI
  /// outputs.
  public var outputs: [String: String] = [:]
  public var messages: [Message] = []
  /// The MIDI files that the messages come from, by the names of the rack's MIDI inputs: no output may
  /// take their place either.
  public var messageFiles: [String: String] = [:]
  /// Lanes besides the plan's, and in the place of those of the same targets.
  public var automation: [PlannedLane] = []
  /// Hz; nil: that of the input files, or 48 kHz.
  public var sampleRate: Double?
  /// Frames at a time.
  public var blockFrames = 512
  /// Seconds; nil: as long as the inputs, and then until the sound has died away.
  public var length: Double?
  /// Of the sound files; nil: float, or 24 bits where the format has no float.
  public var samples: SampleFormat?
  /// Whether integers get triangular dither; nil: 16 bits do, 24 do not.
  public var isDithered: Bool?
  /// May a file that is written take the place of one that is read? What was in it is gone then.
  public var mayReplaceInputs = false
  /// Leave out the frames by which the rack's latency delays the output?
  public var removesLatency = true

  public init() {}
}

/// What has been rendered.
public struct OfflineResult: Sendable {
  public var frames: Int
  public var sampleRate: Double
  /// Largest magnitude at any output.
  public var peak: Float
  /// By file: samples beyond full scale that its file's format could not keep.
  public var clippedSamples: [String: Int]
  /// Input files that end before they say they do; what there is of them was rendered.
  public var incompleteInputs: [String]
  /// Units that rendered NaN or infinity, or not at all, and were muted.
  public var faultyUnits: [String]
  /// Units in other processes that did not answer at times, when their input was heard instead.
  public var absentUnits: [String]
  /// Events that could not be played.
  public var lostEvents: Int
}
