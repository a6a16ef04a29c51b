import AudioUnits
import CUnit
import UnitModel

/// The unit under test, with suitable render jobs.
package struct Subject {
  let descriptor: UnsafePointer<bl_unit_descriptor>
  let facts: UnitFacts
  /// Whether the unit is a plug-in of another format, to which some rules for units do not apply.
  let isPlugIn: Bool
  /// Whether this process intercepts memory and lock functions.
  let watchesCalls: Bool
  /// Receives the next step of a check, so that a crash can be attributed.
  let report: (String) -> Void

  package init(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, isPlugIn: Bool = false,
    watchesCalls: Bool = false,
    report: @escaping (String) -> Void = { _ in }
  ) {
    self.descriptor = descriptor
    (self.isPlugIn, self.watchesCalls) = (isPlugIn, watchesCalls)
    facts = UnitFacts(descriptor.pointee)
    self.report = report
  }

  var takesAudio: Bool { !facts.inputBusses.isEmpty }

  /// The reason why the output has no fixed time relation to the input; nil if it has.
  var reasonForNoTime: String? {
    facts.isOfflineEffect ? "an offline effect's output has a time of its own" : nil
  }

  /// Three input busses if the unit accepts as many, else those that it declares.
  var plainInputs: [Int] {
    let counts = facts.inputBusses.map(\.defaultChannelCount)
    guard facts.canAddInputBusses, facts.maximumInputBusCount >= 3, let last = counts.last else {
      return counts
    }
    return counts + [Int](repeating: last, count: max(0, 3 - counts.count))
  }

  /// Returns a format in which every bus has its default channel count.
  func plainFormat(sampleRate: Double = 48_000, maximumFrames: Int = 4096) -> UnitFormat {
    UnitFormat(
      sampleRate: sampleRate, inputs: plainInputs,
      outputs: facts.outputBusses.map(\.defaultChannelCount), maximumFrames: maximumFrames)
  }

  /// Returns every writable parameter of an instance in that format (nil: the plain format).
  func parameters(in format: UnitFormat? = nil) -> [ParameterReference] {
    facts.allParameters(inputBusCount: (format ?? plainFormat()).inputs.count).filter {
      $0.info.flags.contains(.writable)
    }
  }

  // MARK: - Jobs

  /// Returns a job with a signal on every input, with output memory that suits the unit.
  ///
  /// - Parameters:
  ///   - format: the format; nil for the plain format.
  ///   - blocks: the block sizes, repeated to the end of the job.
  func job(
    _ frames: Int, in format: UnitFormat? = nil, blocks: [Int] = [512], events: [UnitEvent] = [],
    input: (_ bus: Int, AudioPCMBuffer) -> Void
  ) -> RenderJob {
    var job = RenderJob(frames: frames, in: format ?? plainFormat())
    job.inputs = job.format.inputs.enumerated().map { bus, channels in
      let buffer = AudioPCMBuffer(channels: channels, frames: frames)
      input(bus, buffer)
      return buffer
    }
    job.blockSizes = blocks
    job.events = events
    job.memory = facts.providesOutput ? .null : .separate
    return job
  }

  /// Returns a job with noise on every input.
  func noise(
    _ frames: Int, in format: UnitFormat? = nil, blocks: [Int] = [512], events: [UnitEvent] = []
  ) -> RenderJob {
    job(frames, in: format, blocks: blocks, events: events) { bus, buffer in
      buffer.fillWithNoise(amplitude: 0.9, seed: bus + 1)
    }
  }

  /// Returns a job with the same value on every input, with notes.
  func constant(_ value: Float, _ frames: Int) -> RenderJob {
    job(frames, events: notes(frames)) { _, buffer in
      for channel in 0..<buffer.format.channelCount { buffer[channel].update(repeating: value) }
    }
  }

  // MARK: - Rendering

  /// Creates an instance with those parameter values.
  func host(_ format: UnitFormat? = nil, values: [UInt64: Float] = [:]) throws -> UnitHost {
    try UnitHost(descriptor, format: format ?? plainFormat()) { unit in
      for (address, value) in values { descriptor.pointee.set_parameter(unit, address, value) }
    }
  }

  /// Renders a job with a new instance.
  func render(_ job: RenderJob) throws -> Rendering { try host(job.format).render(job) }

  /// Renders a job, with a new instance unless one is given; throws if a sample is NaN or infinite.
  @discardableResult
  func requireFinite(
    _ job: RenderJob, with host: UnitHost? = nil, _ when: String
  ) throws -> Rendering {
    report(when)
    let rendering = try (host ?? self.host(job.format)).render(job)
    for (bus, output) in rendering.outputs.enumerated() {
      if let index = output.firstNotFinite {
        throw Fault("not finite at \(index)\(named(bus)) \(when)")
      }
    }
    return rendering
  }

  /// Throws if two renderings differ.
  func requireSame(_ left: Rendering, _ right: Rendering, _ when: String) throws {
    for bus in left.outputs.indices {
      if let index = left.outputs[bus].firstDifference(from: right.outputs[bus]) {
        throw Fault("differs at \(index)\(named(bus)) \(when)")
      }
    }
    if left.sentMIDI != right.sentMIDI { throw Fault("sends other MIDI \(when)") }
  }

  private func named(_ bus: Int) -> String {
    facts.outputBusses.count > 1 ? " of \(facts.outputBusses[bus].name)" : ""
  }

  // MARK: - Events

  /// Returns changes, ramps and notes at irregular times, determined by the seed.
  func events(_ frames: Int, in format: UnitFormat? = nil, seed: UInt64 = 7) -> [UnitEvent] {
    var random = SeededGenerator(seed: seed)
    let changes = parameters(in: format).flatMap { parameter in
      (0..<4).map { _ in
        let ramp = Int.random(in: 0...900, using: &random)
        let isRamp = parameter.info.flags.contains(.rampable) && ramp > 100
        return UnitEvent.parameter(
          parameter.address, Self.value(of: parameter.info, using: &random),
          ramp: isRamp ? ramp : 0, at: Int.random(in: 0..<frames, using: &random))
      }
    }
    return changes + notes(frames, seed: seed)
  }

  /// Returns initial values of half of the parameters, a third of them at an end of their range, and
  /// a change or a ramp for half of them, with notes; determined by the seed.
  func settings(
    _ frames: Int, in format: UnitFormat, seed: UInt64
  ) -> (values: [UInt64: Float], events: [UnitEvent]) {
    var random = SeededGenerator(seed: seed)
    var values: [UInt64: Float] = [:]
    var events = notes(frames, seed: seed)
    for parameter in parameters(in: format) {
      func value() -> Float {
        let info = parameter.info
        let choice = Int.random(in: 0..<6, using: &random)
        return choice == 0
          ? info.minimum : choice == 1 ? info.maximum : Self.value(of: info, using: &random)
      }
      if Bool.random(using: &random) { values[parameter.address] = value() }
      if Bool.random(using: &random) {
        let ramp = Int.random(in: 0...4000, using: &random)
        let isRamp = parameter.info.flags.contains(.rampable) && ramp > 1000
        events.append(
          .parameter(
            parameter.address, value(), ramp: isRamp ? ramp : 0,
            at: Int.random(in: 0..<frames / 2, using: &random)))
      }
    }
    return (values, events)
  }

  /// Returns notes at irregular times, some held to the end; none for a unit without MIDI.
  func notes(_ frames: Int, seed: UInt64 = 7) -> [UnitEvent] {
    guard facts.hasMIDIInput else { return [] }
    var random = SeededGenerator(seed: seed + 1000)
    return (0..<12).flatMap { number in
      let note = UInt8.random(in: 30..<100, using: &random)
      let start = Int.random(in: 0..<frames, using: &random)
      let notes = [
        UnitEvent.midi([0x90, note, 100], at: start),
        UnitEvent.midi([0x80, note, 0], at: start + 700),
      ]
      guard facts.followsExpressions else { return notes }
      let identifier = UInt32(number + 1)
      let begins = UnitEvent(.note(identifier, key: note, velocity: 100), at: start)
      let moves = NoteExpression.allCases.map { expression in
        UnitEvent(
          .expression(
            expression, .random(in: expression.range, using: &random) / 4, note: identifier),
          at: start + Int.random(in: 0..<700, using: &random))
      }
      return [begins] + moves + notes.suffix(1)
    }
  }

  /// Returns a random value that a person could set.
  static func value(of info: ParameterInfo, using random: inout SeededGenerator) -> Float {
    guard info.minimum < info.maximum else { return info.minimum }
    let share = Double.random(in: 0...1, using: &random)
    let value = info.value(from: info.minimum, to: info.maximum, share: share)
    return info.unit == .indexed || info.unit == .boolean ? value.rounded() : value
  }
}

/// A seeded random number generator: Sebastiano Vigna's SplitMix64, 2015.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
