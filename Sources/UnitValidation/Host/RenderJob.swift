import CUnit
import CUnitHost

/// A stretch of rendering: what goes in, and how the host behaves meanwhile.
public struct RenderJob {
  /// How the unit is handed its output memory.
  public enum OutputMemory: String, Sendable {
    case separate
    case inPlace = "in place"
    case null = "null pointers"
  }

  public var frames: Int
  /// One a bus, each as long as the job; nil or missing: nothing feeds the bus.
  public var inputs: [Sound?] = []
  /// Walked round and round.
  public var blockSizes = [512]
  public var events: [UnitEvent] = []
  public var memory = OutputMemory.separate
  /// The host fills the memory that the unit offers instead of replacing the pointers.
  public var fillsInput = false
  public var keepsDenormals = false
  public var isMisaligned = false
  /// The output bus to render; nil: all of them.
  public var outputBus: Int?

  public init(frames: Int) { self.frames = frames }
}

/// What came of a job.
public struct Rendering {
  /// One a bus; silence for those that were not asked for.
  public var outputs: [Sound]
  public var faults: HostFaults
  /// The frame at which the first fault happened.
  public var faultFrame: Int
  public var sentMIDI: [SentMIDI]
}

/// A message that a unit sent.
public struct SentMIDI: Equatable, Sendable {
  /// Frames since the host began.
  public var sampleTime: Int64
  public var cable: UInt8
  public var bytes: [UInt8]

  public init(sampleTime: Int64, cable: UInt8 = 0, bytes: [UInt8]) {
    self.sampleTime = sampleTime
    self.cable = cable
    self.bytes = bytes
  }
}
