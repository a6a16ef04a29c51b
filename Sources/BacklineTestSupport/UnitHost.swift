import CUnit

/// Plays a unit outside any rack: hands it input, events and output memory, block by block.
public final class UnitHost {
  public let descriptor: UnsafePointer<bl_unit_descriptor>
  public let unit: OpaquePointer
  public let sampleRate: Double
  /// Frames rendered so far.
  public private(set) var sampleTime: Int64 = 0

  /// What the unit has sent, in order.
  public private(set) var sentMIDI: [SentMIDI] = []
  /// Where the music stands at a sample time; nil for a host that knows of none.
  public var music: ((Int64) -> (bl_musical_context, bl_transport_state))?

  private let inputChannels: [Int]
  private let outputChannels: [Int]
  private let maximumFrames: Int
  private var isAllocated = false

  /// How the unit is handed its output memory.
  public enum OutputMemory: Sendable {
    case separate, inPlace, null
  }

  /// An event at a frame counted from the beginning of the render call.
  public struct Event: Sendable {
    var frame: Int
    var make: @Sendable (inout bl_event) -> Void

    public static func midi(_ bytes: [UInt8], cable: UInt8 = 0, at frame: Int) -> Event {
      Event(frame: frame) { event in
        event.type = BL_EVENT_MIDI
        event.midi.cable = cable
        event.midi.length = UInt8(bytes.count)
        withUnsafeMutableBytes(of: &event.midi.bytes) { $0.copyBytes(from: bytes.prefix(3)) }
      }
    }

    /// A change of the parameter with this address; a ramp when `ramp` is above 0 frames.
    public static func parameter(
      _ address: UInt64, _ value: Float, ramp: Int = 0, at frame: Int
    ) -> Event {
      Event(frame: frame) { event in
        event.type = ramp > 0 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER
        event.parameter = bl_parameter_event(
          address: address, value: value, ramp_duration: UInt32(ramp))
      }
    }
  }

  /// A message that the unit sent.
  public struct SentMIDI: Equatable, Sendable {
    public var sampleTime: Int64
    public var cable: UInt8
    public var bytes: [UInt8]

    public init(sampleTime: Int64, cable: UInt8 = 0, bytes: [UInt8]) {
      self.sampleTime = sampleTime
      self.cable = cable
      self.bytes = bytes
    }
  }

  public struct Refusal: Error {
    public var status: bl_status
    public var message = ""
  }

  /// Creates and allocates an instance. Properties and parameters named here are set before.
  public init(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, sampleRate: Double = 48_000,
    inputChannels: [Int]? = nil, outputChannels: [Int]? = nil, maximumFrames: Int = 4096,
    properties: [String: String] = [:], parameters: [String: Float] = [:]
  ) throws {
    let facts = descriptor.pointee
    self.descriptor = descriptor
    self.sampleRate = sampleRate
    self.maximumFrames = maximumFrames
    self.inputChannels =
      inputChannels
      ?? (0..<Int(facts.input_bus_count)).map {
        Int(facts.input_busses[$0].default_channel_count)
      }
    self.outputChannels =
      outputChannels
      ?? (0..<Int(facts.output_bus_count)).map {
        Int(facts.output_busses[$0].default_channel_count)
      }
    guard let unit = facts.create(descriptor) else {
      throw Refusal(status: bl_status(BL_ERROR_OUT_OF_MEMORY))
    }
    self.unit = unit
    for (identifier, value) in properties { try setProperty(identifier, value) }
    for (identifier, value) in parameters { set(identifier, value) }
    try allocate()
  }

  // Runs for a refused instance too.
  deinit {
    if isAllocated { descriptor.pointee.deallocate_render_resources(unit) }
    descriptor.pointee.destroy(unit)
  }

  private func allocate() throws {
    let inputs = inputChannels.map(UInt32.init)
    let outputs = outputChannels.map(UInt32.init)
    let status = inputs.withUnsafeBufferPointer { inputs in
      outputs.withUnsafeBufferPointer { outputs in
        var configuration = bl_render_configuration(
          sample_rate: sampleRate, maximum_frames: UInt32(maximumFrames),
          input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
          input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
        return descriptor.pointee.allocate_render_resources(unit, &configuration)
      }
    }
    guard status == BL_OK else { throw Refusal(status: status) }
    isAllocated = true
  }

  /// The address of the parameter with this identifier, of input bus `bus` for a template.
  public func address(_ identifier: String, bus: Int = 0) -> UInt64 {
    for index in 0..<Int(descriptor.pointee.parameter_count)
    where String(cString: descriptor.pointee.parameters[index].identifier) == identifier {
      return UInt64(bus) << 32 | UInt64(index)
    }
    fatalError("no parameter \(identifier)")
  }

  public func set(_ identifier: String, _ value: Float, bus: Int = 0) {
    descriptor.pointee.set_parameter(unit, address(identifier, bus: bus), value)
  }

  public func value(_ identifier: String, bus: Int = 0) -> Float {
    descriptor.pointee.parameter_value(unit, address(identifier, bus: bus))
  }

  public func setProperty(_ identifier: String, _ value: String) throws {
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

  public func reset() { descriptor.pointee.reset(unit) }
  public var latency: Int { Int(descriptor.pointee.latency?(unit) ?? 0) }
  public var tailTime: Double { descriptor.pointee.tail_time?(unit) ?? 0 }

  /// Renders one output bus. `inputs` are busses × channels × frames, `blockSizes` is walked round
  /// and round; the answer is channels × frames.
  public func render(
    inputs: [[[Float]]] = [], frames: Int, blockSizes: [Int] = [512], events: [Event] = [],
    memory: OutputMemory = .separate, bus: Int = 0
  ) -> [[Float]] {
    precondition(blockSizes.allSatisfy { 1...maximumFrames ~= $0 })
    let sorted = events.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
    var output = [[Float]](repeating: [], count: outputChannels[bus])
    let block = BlockInput(inputChannels: inputChannels, maximumFrames: maximumFrames)
    let scratch = (0..<outputChannels[bus]).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: maximumFrames)
    }
    defer { for pointer in scratch { pointer.deallocate() } }
    var done = 0
    var turn = 0
    while done < frames {
      let count = min(blockSizes[turn % blockSizes.count], frames - done)
      turn += 1
      block.load(inputs, from: done, count: count)
      for pointer in scratch { pointer.update(repeating: .nan, count: maximumFrames) }
      descriptor.pointee.wait_until_ready?(unit, UInt32(count))
      let due = sorted.filter { done..<done + count ~= $0.frame }.map { event in
        var made = bl_event()
        made.sample_time = sampleTime + Int64(event.frame - done)
        event.make(&made)
        return made
      }
      let pointers: [UnsafeMutablePointer<Float>?] =
        switch memory {
        case .separate: scratch
        case .null: scratch.map { _ in nil }
        case .inPlace:
          scratch.indices.map { $0 < block.channels[0].count ? block.channels[0][$0] : scratch[$0] }
        }
      let rendered = renderBlock(count, bus, pointers, block, due)
      for channel in output.indices {
        output[channel] += UnsafeBufferPointer(start: rendered[channel], count: count)
      }
      done += count
      sampleTime += Int64(count)
    }
    return output
  }

  private func renderBlock(
    _ count: Int, _ bus: Int, _ pointers: [UnsafeMutablePointer<Float>?], _ block: BlockInput,
    _ events: [bl_event]
  ) -> [UnsafeMutablePointer<Float>?] {
    var pointers = pointers
    var list = events
    var timestamp = bl_timestamp(sample_time: sampleTime)
    let music = self.music?(sampleTime)
    let context = UnsafeMutablePointer<bl_musical_context>.allocate(capacity: 1)
    let transport = UnsafeMutablePointer<bl_transport_state>.allocate(capacity: 1)
    defer {
      context.deallocate()
      transport.deallocate()
    }
    if let music {
      context.initialize(to: music.0)
      transport.initialize(to: music.1)
    }
    let status = list.withUnsafeMutableBufferPointer { list in
      for index in list.indices {
        list[index].next =
          index + 1 < list.count ? UnsafePointer(list.baseAddress! + index + 1) : nil
      }
      let first = UnsafePointer(list.count > 0 ? list.baseAddress : nil)
      return pointers.withUnsafeMutableBufferPointer { pointers in
        var output = bl_buffers(
          channel_count: UInt32(pointers.count), channels: pointers.baseAddress)
        var pull = bl_render_host(
          context: Unmanaged.passUnretained(block).toOpaque(), pull_input: pullBlock,
          send_midi: keepMIDI, musical_context: music == nil ? nil : UnsafePointer(context),
          transport_state: music == nil ? nil : UnsafePointer(transport))
        return descriptor.pointee.render(
          unit, UInt32(BL_RENDER_OFFLINE), &timestamp, UInt32(count), UInt32(bus), &output, first,
          &pull)
      }
    }
    precondition(status == BL_OK, "render answered \(status)")
    sentMIDI += block.sentMIDI
    block.sentMIDI = []
    return pointers
  }
}

/// One block of input for every bus, in memory of its own.
private final class BlockInput {
  let channels: [[UnsafeMutablePointer<Float>]]
  var connected: [Bool]
  /// The output of the same block.
  var sentMIDI: [UnitHost.SentMIDI] = []

  init(inputChannels: [Int], maximumFrames: Int) {
    channels = inputChannels.map { count in
      (0..<count).map { _ in .allocate(capacity: maximumFrames) }
    }
    connected = inputChannels.map { _ in false }
  }

  deinit { for bus in channels { for pointer in bus { pointer.deallocate() } } }

  func load(_ inputs: [[[Float]]], from start: Int, count: Int) {
    for bus in channels.indices {
      connected[bus] = bus < inputs.count
      for channel in channels[bus].indices {
        for frame in 0..<count {
          let source = bus < inputs.count ? inputs[bus][channel] : []
          channels[bus][channel][frame] = start + frame < source.count ? source[start + frame] : 0
        }
      }
    }
  }
}

private let keepMIDI:
  @convention(c) (
    UnsafeMutableRawPointer?, Int64, UInt8, UInt32, UnsafePointer<UInt8>?
  ) -> bl_status = { context, sampleTime, cable, length, bytes in
    guard let context else { return bl_status(BL_ERROR_NO_CONNECTION) }
    let block = Unmanaged<BlockInput>.fromOpaque(context).takeUnretainedValue()
    let message = Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    block.sentMIDI.append(
      UnitHost.SentMIDI(sampleTime: sampleTime, cable: cable, bytes: message))
    return bl_status(BL_OK)
  }

private let pullBlock:
  @convention(c) (
    UnsafeMutableRawPointer?, UInt32, UnsafePointer<bl_timestamp>?, UInt32, UInt32,
    UnsafeMutablePointer<bl_buffers>?
  ) -> bl_status = { context, _, _, _, bus, buffers in
    guard let context, let buffers else { return bl_status(BL_ERROR_NO_SUCH_ELEMENT) }
    let block = Unmanaged<BlockInput>.fromOpaque(context).takeUnretainedValue()
    guard Int(bus) < block.channels.count else { return bl_status(BL_ERROR_NO_SUCH_ELEMENT) }
    for channel in 0..<Int(buffers.pointee.channel_count) {
      precondition(buffers.pointee.channels[channel] != nil, "offered a null input pointer")
      buffers.pointee.channels[channel] = block.channels[Int(bus)][channel]
    }
    return bl_status(block.connected[Int(bus)] ? BL_OK : BL_ERROR_NO_CONNECTION)
  }
