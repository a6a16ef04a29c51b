import RackModel
import SoundFiles

/// A rendering of a rack into files.
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
  /// The files of the messages, by the names of the rack's MIDI inputs; no output may replace them
  /// either.
  public var messageFiles: [String: String] = [:]
  /// Tempo and metre of the transport; nil: the rack's tempo, in 4/4.
  public var tempoMap: TempoMap?
  /// Lanes besides the plan's; they replace the plan's lanes of the same targets.
  public var automation: [PlannedLane] = []
  /// Hz; nil: that of the input files, or 48 kHz.
  public var sampleRate: Double?
  /// Frames at a time.
  public var blockFrames = 512
  /// Seconds; nil: as long as the inputs, and then until the sound has died away. With offline effects it
  /// counts up to the first of them.
  public var length: Double?
  /// Of the sound files; nil: float, or 24 bits where the format has no float.
  public var samples: SampleFormat?
  /// Whether integers get triangular dither; nil: 16 bits do, 24 do not.
  public var isDithered: Bool?
  /// Seconds that a unit in a process of its own may take for a block; for its first 60 s at least.
  public var patience = 5.0
  /// Whether an output may replace a file that is read.
  public var mayReplaceInputs = false
  /// Whether the frames are left out by which the rack's latency delays the outputs.
  public var removesLatency = true

  public init() {}
}

/// The result of a rendering.
public struct OfflineResult: Sendable {
  public var frames = 0
  public var sampleRate: Double
  /// Largest magnitude at any output.
  public var peak: Float = 0
  /// By file: samples beyond full scale that its file's format could not keep.
  public var clippedSamples: [String: Int] = [:]
  /// Input files that end before the length in their headers; all their frames were rendered.
  public var incompleteInputs: [String] = []
  /// What units have left out of their files.
  public var fileWarnings: [String] = []
  /// Units that produced NaN or infinity, or did not render, and were muted.
  public var faultyUnits: [String] = []
  /// Outputs that were above their ceilings, once for each unit that made them loud.
  public var loudOutputs: [LoudOutput] = []
  /// Units in other processes that missed cycles, in which their input was passed through.
  public var absentUnits: [String] = []
  /// What the processes of units were refused: `openat /home/anna/kit.xml: it is not …`.
  public var refusals: [(unit: String, call: String)] = []
  /// Events for which there was no room.
  public var lostEvents = 0

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Adds what a later part of the rendering has made.
  mutating func add(_ part: OfflineResult) {
    (frames, peak) = (part.frames, part.peak)
    fileWarnings += part.fileWarnings
    faultyUnits += part.faultyUnits
    loudOutputs += part.loudOutputs
    absentUnits += part.absentUnits
    lostEvents += part.lostEvents
  }
}
