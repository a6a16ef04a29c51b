import AudioUnits
import CUnit
import UnitModel

/// The unit that is checked, and the material that suits it.
public struct Subject {
  public let descriptor: UnsafePointer<bl_unit_descriptor>
  public let facts: UnitFacts
  /// Hears what a check is about to do, so that a crash can be placed.
  let note: (String) -> Void

  /// Does something in this process lie in the way of memory and lock functions?
  let watchesCalls: Bool

  public init(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, watchesCalls: Bool = false,
    note: @escaping (String) -> Void = { _ in }
  ) {
    self.descriptor = descriptor
    self.watchesCalls = watchesCalls
    facts = UnitFacts(descriptor.pointee)
    self.note = note
  }

  /// The output memory that suits the unit where a check does not care.
  var plainMemory: RenderJob.OutputMemory { facts.providesOutput ? .null : .separate }

  var takesAudio: Bool { !facts.inputBusses.isEmpty }

  /// Three input busses where the unit takes so many, else those that it declares.
  var plainInputs: [Int] {
    let counts = facts.inputBusses.map(\.defaultChannelCount)
    guard facts.canAddInputBusses, facts.maximumInputBusCount >= 3, let last = counts.last else {
      return counts
    }
    return counts + [Int](repeating: last, count: max(0, 3 - counts.count))
  }

  /// Every bus as it is when nobody asks for anything else.
  func plainFormat(sampleRate: Double = 48_000, maximumFrames: Int = 4096) -> UnitFormat {
    UnitFormat(
      sampleRate: sampleRate, inputs: plainInputs,
      outputs: facts.outputBusses.map(\.defaultChannelCount), maximumFrames: maximumFrames)
  }

  /// Makes an instance with those parameter values.
  func host(_ format: UnitFormat? = nil, values: [UInt64: Float] = [:]) throws -> UnitHost {
    try UnitHost(descriptor, format: format ?? plainFormat()) { unit in
      for (address, value) in values { descriptor.pointee.set_parameter(unit, address, value) }
    }
  }

  /// Noise on every input, in the memory that suits.
  func noiseJob(_ format: UnitFormat, frames: Int, events: [UnitEvent] = []) -> RenderJob {
    var job = RenderJob(frames: frames)
    job.inputs = format.inputs.enumerated().map { bus, channels in
      Sound.noise(channels: channels, frames: frames, amplitude: 0.9, seed: bus + 1)
    }
    job.events = events
    job.memory = plainMemory
    return job
  }

  /// The same value on every input.
  func constantJob(_ value: Float, _ format: UnitFormat, frames: Int) -> RenderJob {
    var job = noiseJob(format, frames: frames)
    job.inputs = format.inputs.map { .constant(value, channels: $0, frames: frames) }
    job.events = notes(frames: frames)
    return job
  }

  /// Every writable parameter of an instance in that format.
  func parameters(in format: UnitFormat) -> [ParameterReference] {
    facts.allParameters(inputBusCount: format.inputs.count).filter {
      $0.info.flags.contains(.writable)
    }
  }

  /// Fails where a sample is NaN or infinite.
  func requireFinite(_ rendering: Rendering, _ when: @autoclosure () -> String) throws {
    for (bus, output) in rendering.outputs.enumerated() {
      if let place = output.firstNotFinite {
        throw Fault("not finite at \(place)\(named(bus)) \(when())")
      }
    }
  }

  /// Fails where two renderings differ.
  func requireSame(
    _ left: Rendering, _ right: Rendering, _ when: @autoclosure () -> String
  ) throws {
    for bus in left.outputs.indices {
      if let place = left.outputs[bus].firstDifference(from: right.outputs[bus]) {
        throw Fault("differs at \(place)\(named(bus)) \(when())")
      }
    }
    if left.sentMIDI != right.sentMIDI { throw Fault("sends other MIDI \(when())") }
  }

  private func named(_ bus: Int) -> String {
    facts.outputBusses.count > 1 ? " of \(facts.outputBusses[bus].name)" : ""
  }
}
