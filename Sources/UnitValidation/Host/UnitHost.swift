import CUnit
import CUnitHost

/// Why a unit would not go on.
public struct UnitHostError: Error, CustomStringConvertible {
  public var status: bl_status
  public var message: String
  public var description: String { message }

  public init(status: bl_status, message: String) {
    self.status = status
    self.message = message
  }
}

/// Plays a unit outside any rack: hands it input, events and output memory, block by block.
public final class UnitHost {
  public let descriptor: UnsafePointer<bl_unit_descriptor>
  public let unit: OpaquePointer
  public let format: UnitFormat
  private var host: OpaquePointer?

  /// Creates and allocates an instance; `prepare` sets properties and parameters in between.
  public init(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, format: UnitFormat,
    prepare: (OpaquePointer) throws -> Void = { _ in }
  ) throws {
    self.descriptor = descriptor
    self.format = format
    guard let unit = descriptor.pointee.create(descriptor) else {
      throw UnitHostError(status: bl_status(BL_ERROR_OUT_OF_MEMORY), message: "create answers NULL")
    }
    self.unit = unit
    try prepare(unit)
    try allocate()
  }

  // Runs for a refused instance too.
  deinit {
    if let host {
      bl_unit_host_destroy(host)
      descriptor.pointee.deallocate_render_resources(unit)
    }
    descriptor.pointee.destroy(unit)
  }

  private func allocate() throws {
    try format.withConfiguration { configuration in
      let status = descriptor.pointee.allocate_render_resources(unit, configuration)
      guard status == BL_OK else {
        throw UnitHostError(status: status, message: "refuses \(format) with status \(status)")
      }
      host = bl_unit_host_create(descriptor, unit, configuration)
      if host == nil { descriptor.pointee.deallocate_render_resources(unit) }
    }
    if host == nil {
      throw UnitHostError(status: bl_status(BL_ERROR_OUT_OF_MEMORY), message: "memory is short")
    }
  }

  /// Frames rendered so far.
  public var sampleTime: Int64 { host.map(bl_unit_host_sample_time) ?? 0 }
  public var latency: Int { Int(descriptor.pointee.latency?(unit) ?? 0) }
  /// Seconds.
  public var tailTime: Double { descriptor.pointee.tail_time?(unit) ?? 0 }

  public func reset() { descriptor.pointee.reset(unit) }
  public func value(at address: UInt64) -> Float {
    descriptor.pointee.parameter_value(unit, address)
  }
  public func set(_ address: UInt64, to value: Float) {
    descriptor.pointee.set_parameter(unit, address, value)
  }

  /// Renders; throws when the unit answers anything but BL_OK.
  public func render(_ job: RenderJob, music: MusicSource? = nil) throws -> Rendering {
    let outputs = format.outputs.map { Sound(channels: $0, frames: job.frames) }
    let result = withJob(job, outputs: outputs, music: music) { prepared in
      bl_unit_host_render(host, &prepared)
    }
    guard result.status == BL_OK else {
      throw UnitHostError(
        status: result.status,
        message: "render answers status \(result.status) at frame \(result.frame)")
    }
    return Rendering(
      outputs: outputs, faults: HostFaults(rawValue: result.faults),
      faultFrame: Int(result.frame), sentMIDI: sentMIDI)
  }

  /// The same job in C, for as long as `body` runs.
  func withJob<Result>(
    _ job: RenderJob, outputs: [Sound], music: MusicSource? = nil,
    _ body: (inout bl_host_job) -> Result
  ) -> Result {
    let inputs: [UnsafePointer<Float>?] = format.inputs.enumerated().flatMap { bus, count in
      let sound = bus < job.inputs.count ? job.inputs[bus] : nil
      return (0..<count).map { index in sound.map { UnsafePointer($0.channel(index)) } }
    }
    let planes: [UnsafeMutablePointer<Float>?] = outputs.enumerated().flatMap { bus, sound in
      (0..<sound.channelCount).map { job.outputBus ?? bus == bus ? sound.channel($0) : nil }
    }
    let list = EventList(job.events)
    var events = list.events
    let sizes = job.blockSizes.map { UInt32(min($0, format.maximumFrames)) }
    return withExtendedLifetime((list, outputs, job.inputs, music)) {
      inputs.withUnsafeBufferPointer { inputs in
        planes.withUnsafeBufferPointer { planes in
          sizes.withUnsafeBufferPointer { sizes in
            events.withUnsafeMutableBufferPointer { events in
              var prepared = bl_host_job()
              prepared.frames = UInt32(job.frames)
              prepared.block_sizes = sizes.baseAddress
              prepared.block_size_count = UInt32(sizes.count)
              prepared.inputs = inputs.isEmpty ? nil : inputs.baseAddress
              prepared.outputs = planes.baseAddress
              prepared.events = events.baseAddress
              prepared.event_count = UInt32(events.count)
              prepared.output_memory =
                switch job.memory {
                case .separate: BL_OUTPUT_SEPARATE
                case .inPlace: BL_OUTPUT_IN_PLACE
                case .null: BL_OUTPUT_NULL
                }
              prepared.input_memory = job.fillsInput ? BL_INPUT_FILLED : BL_INPUT_REPLACED
              prepared.keeps_denormals = job.keepsDenormals
              prepared.is_misaligned = job.isMisaligned
              prepared.music = music == nil ? nil : MusicSource.function
              prepared.music_context = music.map { Unmanaged.passUnretained($0).toOpaque() }
              return body(&prepared)
            }
          }
        }
      }
    }
  }

  /// What the C host renders, for those who render on another thread.
  var renderer: OpaquePointer? { host }

  private var sentMIDI: [SentMIDI] {
    guard let host, let messages = bl_unit_host_sent(host),
      let bytes = bl_unit_host_sent_bytes(host)
    else { return [] }
    return (0..<Int(bl_unit_host_sent_count(host))).map { index in
      let message = messages[index]
      let start = bytes + Int(message.offset)
      return SentMIDI(
        sampleTime: message.sample_time, cable: message.cable,
        bytes: Array(UnsafeBufferPointer(start: start, count: Int(message.length))))
    }
  }
}
