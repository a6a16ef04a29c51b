import RackModel
import SoundFiles

/// A rendering of a rack into files.
public struct OfflineJob: Sendable {
  /// A MIDI message for one of the rack's MIDI inputs.
  public struct Message: Sendable {
    /// The index of the MIDI input in the plan.
    public var port: Int
    /// The time from the start of the rendering, seconds.
    public var time: Double
    /// The MIDI message; empty bytes send nothing, and make the rendering last until `time`.
    public var bytes: [UInt8]

    public init(port: Int, time: Double, bytes: [UInt8]) {
      (self.port, self.time, self.bytes) = (port, time, bytes)
    }
  }

  /// Sound files by the names of the rack's inputs; inputs not named here are silent.
  public var inputs: [String: String] = [:]
  /// Files to write, by the names of the rack's outputs: sound files, or MIDI files for MIDI outputs.
  public var outputs: [String: String] = [:]
  public var messages: [Message] = []
  /// The files of the messages, by the names of the rack's MIDI inputs; no output may replace them
  /// either.
  public var messageFiles: [String: String] = [:]
  /// The tempo and metre of the transport; nil for the rack's tempo, in 4/4.
  public var tempoMap: TempoMap?
  /// Lanes besides the plan's; they replace the plan's lanes of the same targets.
  public var automation: [PlannedLane] = []
  /// The sample rate, Hz; nil for that of the first input file, or 48 kHz.
  public var sampleRate: Double?
  /// The longest block, frames.
  public var blockFrames = 512
  /// The length, seconds; nil for that of the inputs, and then until the sound has died away. With offline
  /// effects, the length of the part before the first of them.
  public var length: Double?
  /// The sample format of the sound files; nil for float, or 24 bits where the format has no float.
  public var samples: SampleFormat?
  /// Whether integers get triangular dither; nil: 16 bits do, 24 do not.
  public var isDithered: Bool?
  /// The time limit of a block for a unit in a process of its own, seconds; at least 60 s for its first block.
  public var timeLimit = 5.0
  /// Whether an output may replace a file that is read.
  public var mayReplaceInputs = false
  /// Whether the first frames of each output, by which the rack's latency delays it, are left out.
  public var removesLatency = true

  public init() {}
}

/// The result of a rendering.
public struct OfflineResult: Sendable {
  public var frames = 0
  public var sampleRate: Double
  /// Largest magnitude at any output.
  public var peak: Float = 0
  /// The number of samples beyond full scale that the file's format could not store, by file.
  public var clippedSamples: [String: Int] = [:]
  /// Input files that end before the length in their headers; all their frames were rendered.
  public var incompleteInputs: [String] = []
  /// Sentences about the parts of files that units have left out.
  public var fileWarnings: [String] = []
  /// Units that produced NaN or infinity, or did not render, and were muted.
  public var faultyUnits: [String] = []
  /// Outputs that were above their ceilings, once for each unit that made them loud.
  public var loudOutputs: [LoudOutput] = []
  /// Units in other processes that missed cycles, in which their input was passed through.
  public var absentUnits: [String] = []
  /// The system calls that units' processes were refused: `openat /home/anna/kit.xml: it is not …`.
  public var refusals: [(unit: String, call: String)] = []
  /// The number of events that had no room, or that their units do not support.
  public var lostEvents = 0

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Adds the result of a later part of the rendering.
  mutating func add(_ part: OfflineResult) {
    (frames, peak) = (part.frames, part.peak)
    fileWarnings += part.fileWarnings
    faultyUnits += part.faultyUnits
    loudOutputs += part.loudOutputs
    absentUnits += part.absentUnits
    lostEvents += part.lostEvents
  }
}
