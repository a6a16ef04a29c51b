import AudioUnits
import CUnit
import CUnitHost

/// The format of a unit's busses, and the longest cycle.
package struct UnitFormat: Sendable, CustomStringConvertible {
  /// The sample rate, Hz.
  package var sampleRate: Double
  /// The channel counts of the busses.
  package var inputs: [Int]
  package var outputs: [Int]
  package var maximumFrames: Int

  package init(
    sampleRate: Double = 48_000, inputs: [Int], outputs: [Int], maximumFrames: Int = 4096
  ) {
    (self.sampleRate, self.maximumFrames) = (sampleRate, maximumFrames)
    (self.inputs, self.outputs) = (inputs, outputs)
  }

  package var description: String {
    "\(inputs) channels in, \(outputs) out, \(Int(sampleRate)) Hz, up to \(maximumFrames) frames"
  }
}

/// A rendering job: the input, the events, and the host's choices.
package struct RenderJob {
  /// The host's way to provide output memory.
  package enum OutputMemory: String, Sendable {
    case separate
    case inPlace = "in place"
    case null = "null pointers"
  }

  package var frames: Int
  /// The length of an offline effect's input, frames; nil for `frames`.
  package var inputFrames: Int?
  package var format: UnitFormat
  /// The input busses' buffers, each as long as the job's input; nil or missing for an unconnected
  /// bus.
  package var inputs: [AudioPCMBuffer?] = []
  /// The block sizes, repeated to the end of the job, frames.
  package var blockSizes = [512]
  package var events: [UnitEvent] = []
  package var memory = OutputMemory.separate
  /// How the unit gets its input.
  package var inputMemory = BL_INPUT_REPLACED
  package var keepsDenormals = false
  package var isMisaligned = false
  /// Whether to query latency and tail after each cycle.
  package var followsTimes = false
  /// The output bus to render; nil for all of them.
  package var outputBus: Int?
  /// Tempo and transport at a sample time; nil for a host without them.
  package var music: ((Int64) -> (bl_musical_context, bl_transport_state))?

  package init(frames: Int, in format: UnitFormat) {
    (self.frames, self.format) = (frames, format)
  }
}

/// The result of a render job.
package struct Rendering {
  /// The output busses' buffers; silence for a bus that was not rendered.
  package var outputs: [AudioPCMBuffer]
  /// The length of an offline effect's output, even if the job is shorter; otherwise the job's,
  /// frames.
  package var outputFrames: Int
  package var faults: HostFaults
  /// The frame of the first fault.
  package var faultFrame: Int
  package var sentMIDI: [MIDIOutputEvent]
}
