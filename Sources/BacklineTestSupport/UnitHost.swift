import CUnit
import UnitValidation

/// Plays a unit outside any rack: the validator's host, with parameters by name, sounds as arrays,
/// and every rule of the ABI held.
public final class UnitHost {
  public typealias OutputMemory = RenderJob.OutputMemory
  public typealias Event = UnitEvent
  public typealias SentMIDI = UnitValidation.SentMIDI
  public typealias Refusal = UnitHostError

  private let host: UnitValidation.UnitHost
  /// What the unit has sent, in order.
  public private(set) var sentMIDI: [SentMIDI] = []
  /// Where the music stands at a sample time; nil for a host that knows of none.
  public var music: ((Int64) -> (bl_musical_context, bl_transport_state))?

  /// Creates and allocates an instance. Properties and parameters named here are set before.
  public init(
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

  public var descriptor: UnsafePointer<bl_unit_descriptor> { host.descriptor }
  public var unit: OpaquePointer { host.unit }
  public var sampleRate: Double { host.format.sampleRate }
  /// Frames rendered so far.
  public var sampleTime: Int64 { host.sampleTime }
  public var latency: Int { host.latency }
  public var tailTime: Double { host.tailTime }
  public func reset() { host.reset() }

  /// The address of the parameter with this identifier, of input bus `bus` for a template.
  public func address(_ identifier: String, bus: Int = 0) -> UInt64 {
    UInt64(bus) << 32 | Self.address(identifier, descriptor)
  }

  private static func address(
    _ identifier: String, _ descriptor: UnsafePointer<bl_unit_descriptor>
  ) -> UInt64 {
    for index in 0..<Int(descriptor.pointee.parameter_count)
    where String(cString: descriptor.pointee.parameters[index].identifier) == identifier {
      return UInt64(index)
    }
    fatalError("no parameter \(identifier)")
  }

  public func set(_ identifier: String, _ value: Float, bus: Int = 0) {
    host.set(address(identifier, bus: bus), to: value)
  }

  public func value(_ identifier: String, bus: Int = 0) -> Float {
    host.value(at: address(identifier, bus: bus))
  }

  public func setProperty(_ identifier: String, _ value: String) throws {
    try Self.set(identifier, to: value, of: unit, descriptor)
  }

  private static func set(
    _ identifier: String, to value: String, of unit: OpaquePointer,
    _ descriptor: UnsafePointer<bl_unit_descriptor>
  ) throws {
    for index in 0..<Int(descriptor.pointee.property_count)
    where String(cString: descriptor.pointee.properties[index].identifier) == identifier {
      var message = [CChar](repeating: 0, count: 512)
      let status = descriptor.pointee.set_property(
        unit, UInt32(index), value, &message, message.count)
      if status != BL_OK {
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw Refusal(status: status, message: String(decoding: text, as: UTF8.self))
      }
      return
    }
    fatalError("no property \(identifier)")
  }

  /// Renders one output bus. `inputs` are busses × channels × frames, `blockSizes` is walked round
  /// and round; the answer is channels × frames.
  public func render(
    inputs: [[[Float]]] = [], frames: Int, blockSizes: [Int] = [512], events: [Event] = [],
    memory: OutputMemory = .separate, bus: Int = 0
  ) -> [[Float]] {
    precondition(blockSizes.allSatisfy { 1...host.format.maximumFrames ~= $0 })
    var job = RenderJob(frames: frames)
    job.inputs = inputs.map { channels in
      let sound = Sound(channels: channels.count, frames: frames)
      for (index, samples) in channels.enumerated() {
        for (frame, sample) in samples.prefix(frames).enumerated() {
          sound.channel(index)[frame] = sample
        }
      }
      return sound
    }
    job.blockSizes = blockSizes
    job.events = events
    job.memory = memory
    job.outputBus = bus
    do {
      let rendering = try host.render(job, music: music.map { MusicSource($0) })
      precondition(rendering.faults.isEmpty, "the unit \(rendering.faults.sentences)")
      sentMIDI += rendering.sentMIDI
      // A MIDI processor has none.
      guard rendering.outputs.indices.contains(bus) else { return [] }
      let output = rendering.outputs[bus]
      return (0..<output.channelCount).map { index in
        Array(UnsafeBufferPointer(start: output.channel(index), count: frames))
      }
    } catch {
      fatalError("\(error)")
    }
  }
}
