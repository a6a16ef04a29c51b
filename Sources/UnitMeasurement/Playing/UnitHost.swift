import AudioUnits
import CUnit
import UnitValidation

/// Plays a unit outside any rack, in the validator's host, with parameters by name and sounds as
/// arrays. Stops the test if the unit breaks a rule of the ABI.
package final class UnitHost {
  package typealias OutputMemory = RenderJob.OutputMemory
  package typealias Event = UnitEvent
  package typealias SentMIDI = MIDIOutputEvent
  package typealias Refusal = UnitHostError

  /// Learns of outputs that are not finite, in figures.
  @TaskLocal static var watch: OutputWatch?

  private let host: UnitValidation.UnitHost
  /// The MIDI that the unit has sent, in order.
  package private(set) var sentMIDI: [SentMIDI] = []
  /// Provides tempo and transport at a sample time; nil for a host without them.
  package var music: ((Int64) -> (bl_musical_context, bl_transport_state))?

  /// Creates an instance, sets these properties and parameters, and allocates its render resources.
  package init(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, sampleRate: Double = 48_000,
    inputChannels: [Int]? = nil, outputChannels: [Int]? = nil, maximumFrames: Int = 4096,
    properties: [String: String] = [:], parameters: [String: Float] = [:]
  ) throws {
    let facts = descriptor.pointee
    let inputs = (0..<Int(facts.input_bus_count)).map { facts.input_busses[$0] }
    let outputs = (0..<Int(facts.output_bus_count)).map { facts.output_busses[$0] }
    let format = UnitFormat(
      sampleRate: sampleRate,
      inputs: inputChannels ?? inputs.map { Int($0.default_channel_count) },
      outputs: outputChannels ?? outputs.map { Int($0.default_channel_count) },
      maximumFrames: maximumFrames)
    host = try UnitValidation.UnitHost(descriptor, format: format) { unit in
      for (identifier, value) in properties {
        try Self.set(identifier, to: value, of: unit, descriptor)
      }
      for (identifier, value) in parameters {
        facts.set_parameter(unit, Self.address(identifier, descriptor), value)
      }
    }
  }

  package var descriptor: UnsafePointer<bl_unit_descriptor> { host.descriptor }
  package var unit: OpaquePointer { host.unit }
  package var sampleRate: Double { host.format.sampleRate }
  /// The number of frames rendered so far.
  package var sampleTime: Int64 { host.sampleTime }
  package var latency: Int { host.latency }
  package var tailTime: Double { host.tailTime }
  package func reset() { host.reset() }

  /// Returns the address of the parameter with this identifier or key path; for a parameter that
  /// exists once per input bus, that of `bus`.
  package func address(_ identifier: String, bus: Int = 0) -> UInt64 {
    UInt64(bus) << 32 | Self.address(identifier, descriptor)
  }

  private static func address(
    _ identifier: String, _ descriptor: UnsafePointer<bl_unit_descriptor>
  ) -> UInt64 {
    for index in 0..<Int(descriptor.pointee.parameter_count) {
      let info = descriptor.pointee.parameters[index]
      let own = String(cString: info.identifier)
      let path = info.group.map { "\(String(cString: $0)).\(own)" } ?? own
      if [own, path].contains(identifier) { return UInt64(index) }
    }
    fatalError("no parameter \(identifier)")
  }

  package func set(_ identifier: String, _ value: Float, bus: Int = 0) {
    host.set(address(identifier, bus: bus), to: value)
  }

  package func value(_ identifier: String, bus: Int = 0) -> Float {
    host.value(at: address(identifier, bus: bus))
  }

  package func setProperty(_ identifier: String, _ value: String) throws {
    try Self.set(identifier, to: value, of: unit, descriptor)
  }

  /// Returns the data that the unit saves for a property of the table.
  package func data(_ index: Int) throws -> [UInt8] { try host.data(ofPropertyAt: index) }

  /// Sets a data property.
  package func load(_ index: Int, _ bytes: [UInt8]) throws {
    try UnitValidation.UnitHost.load(bytes, intoPropertyAt: index, of: unit, descriptor)
  }

  private static func set(
    _ identifier: String, to value: String, of unit: OpaquePointer,
    _ descriptor: UnsafePointer<bl_unit_descriptor>
  ) throws {
    for index in 0..<Int(descriptor.pointee.property_count)
    where String(cString: descriptor.pointee.properties[index].identifier) == identifier {
      var message = [CChar](repeating: 0, count: 512)
      let status = bl_set_property(
        descriptor, unit, UInt32(index), value, &message, message.count)
      guard status == BL_OK else { throw Refusal(status: status, String(message)) }
      return
    }
    fatalError("no property \(identifier)")
  }

  /// Renders one output bus; returns channels × frames. `inputs` are busses × channels × frames;
  /// `blockSizes` are repeated.
  package func render(
    inputs: [[[Float]]] = [], frames: Int, blockSizes: [Int] = [512], events: [Event] = [],
    memory: OutputMemory = .separate, bus: Int = 0
  ) -> [[Float]] {
    var job = RenderJob(frames: frames, in: host.format)
    job.inputs = inputs.map { Self.buffer($0, frames: frames) }
    job.blockSizes = blockSizes
    job.events = events
    job.memory = memory
    job.outputBus = bus
    let rendering = render(job)
    // A MIDI processor has no output bus.
    return rendering.outputs.indices.contains(bus) ? rendering.outputs[bus].channels : []
  }

  /// Renders a sound through an offline effect; returns the whole output, channels × frames.
  package func renderOffline(
    _ sound: [[Float]], blockSizes: [Int] = [512], memory: OutputMemory = .separate
  ) -> [[Float]] {
    let length = sound[0].count
    // No test lengthens a sound by more than a factor of 4.
    var job = RenderJob(frames: 4 * length, in: host.format)
    job.inputFrames = length
    job.inputs = [Self.buffer(sound, frames: length)]
    job.blockSizes = blockSizes
    job.memory = memory
    let rendering = render(job)
    precondition(rendering.outputFrames <= job.frames, "there is no room for the output")
    return rendering.outputs[0].channels.map { Array($0.prefix(rendering.outputFrames)) }
  }

  private static func buffer(_ channels: [[Float]], frames: Int) -> AudioPCMBuffer {
    let buffer = AudioPCMBuffer(channels: channels.count, frames: frames)
    for (index, samples) in channels.enumerated() {
      _ = buffer[index].update(fromContentsOf: samples.prefix(frames))
    }
    return buffer
  }

  private func render(_ job: RenderJob) -> Rendering {
    precondition(job.blockSizes.allSatisfy { 1...host.format.maximumFrames ~= $0 })
    var job = job
    job.music = music
    do {
      let rendering = try host.render(job)
      precondition(rendering.faults.isEmpty, "the unit \(rendering.faults.sentences)")
      sentMIDI += rendering.sentMIDI
      Self.watch?.check(rendering.outputs.flatMap(\.channels))
      return rendering
    } catch {
      fatalError("\(error)")
    }
  }
}
