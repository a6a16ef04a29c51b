import AudioUnits
import CUnit
import CUnitHost
import Glibc

/// The reason why a unit could not be created, allocated or rendered.
package struct UnitHostError: Error, CustomStringConvertible {
  package var status: bl_status
  package var description: String

  package init(status: bl_status, _ description: String) {
    (self.status, self.description) = (status, description)
  }
}

/// Plays a unit outside any rack, block by block, and records each rule of the ABI that it breaks.
package final class UnitHost {
  package let descriptor: UnsafePointer<bl_unit_descriptor>
  package let unit: OpaquePointer
  package let format: UnitFormat
  private(set) var host: OpaquePointer?

  /// Creates and allocates an instance; `prepare` sets properties and parameters in between.
  package init(
    _ descriptor: UnsafePointer<bl_unit_descriptor>, format: UnitFormat,
    prepare: (OpaquePointer) throws -> Void = { _ in }
  ) throws {
    (self.descriptor, self.format) = (descriptor, format)
    guard let unit = descriptor.pointee.create(descriptor) else {
      throw UnitHostError(status: bl_status(BL_ERROR_OUT_OF_MEMORY), "create answers NULL")
    }
    self.unit = unit
    try prepare(unit)
    try format.withConfiguration { configuration in
      let status = descriptor.pointee.allocate_render_resources(unit, &configuration)
      guard status == BL_OK else {
        throw UnitHostError(status: status, "refuses \(format) with status \(status)")
      }
      host = bl_unit_host_create(descriptor, unit, &configuration)
    }
    guard host != nil else {
      descriptor.pointee.deallocate_render_resources(unit)
      throw UnitHostError(status: bl_status(BL_ERROR_OUT_OF_MEMORY), "out of memory")
    }
  }

  // This also runs for a refused instance.
  deinit {
    if let host {
      bl_unit_host_destroy(host)
      descriptor.pointee.deallocate_render_resources(unit)
    }
    descriptor.pointee.destroy(unit)
  }

  /// The number of frames rendered so far.
  package var sampleTime: Int64 { host.map(bl_unit_host_sample_time) ?? 0 }
  package var latency: Int { Int(descriptor.pointee.latency?(unit) ?? 0) }
  /// The tail, seconds.
  package var tailTime: Double { descriptor.pointee.tail_time?(unit) ?? 0 }

  package func reset() { descriptor.pointee.reset(unit) }
  package func value(at address: UInt64) -> Float {
    descriptor.pointee.parameter_value(unit, address)
  }
  package func set(_ address: UInt64, to value: Float) {
    descriptor.pointee.set_parameter(unit, address, value)
  }

  /// Returns the data that the unit saves for a property of the table.
  ///
  /// - Throws: `UnitHostError` with its reason.
  package func data(ofPropertyAt index: Int) throws -> [UInt8] {
    var data = bl_data()
    defer { free(data.bytes) }
    var message = [CChar](repeating: 0, count: 512)
    let status = withUnsafeMutablePointer(to: &data) {
      var writer = bl_data_writer_to($0)
      return descriptor.pointee.save_data(unit, UInt32(index), &writer, &message, message.count)
    }
    guard status == BL_OK else { throw UnitHostError(status: status, String(message)) }
    return Array(UnsafeBufferPointer(start: data.bytes, count: data.count))
  }

  /// Sets a data property.
  ///
  /// - Throws: `UnitHostError` with the unit's reason.
  package static func load(
    _ bytes: [UInt8], intoPropertyAt index: Int, of unit: OpaquePointer,
    _ descriptor: UnsafePointer<bl_unit_descriptor>
  ) throws {
    var message = [CChar](repeating: 0, count: 512)
    let status = descriptor.pointee.load_data(
      unit, UInt32(index), bytes, bytes.count, &message, message.count)
    guard status == BL_OK else { throw UnitHostError(status: status, String(message)) }
  }

  /// Renders a job.
  ///
  /// - Throws: `UnitHostError` if the unit returns anything but BL_OK.
  package func render(_ job: RenderJob) throws -> Rendering {
    let outputs = format.outputs.map { AudioPCMBuffer(channels: $0, frames: job.frames) }
    let result = withJob(job, outputs: outputs) { bl_unit_host_render(host, &$0) }
    guard result.status == BL_OK else {
      throw UnitHostError(
        status: result.status,
        "render answers status \(result.status) at frame \(result.frame)")
    }
    return Rendering(
      outputs: outputs, outputFrames: Int(clamping: result.output_frames),
      faults: HostFaults(rawValue: result.faults), faultFrame: Int(result.frame),
      sentMIDI: sentMIDI)
  }

  /// Provides the job in its C form while `body` runs.
  func withJob<Result>(
    _ job: RenderJob, outputs: [AudioPCMBuffer], _ body: (inout bl_host_job) -> Result
  ) -> Result {
    let inputs: [UnsafePointer<Float>?] = format.inputs.enumerated().flatMap { bus, count in
      let buffer = bus < job.inputs.count ? job.inputs[bus] : nil
      return (0..<count).map { channel in UnsafePointer(buffer?.pointer(channel)) }
    }
    let planes: [UnsafeMutablePointer<Float>?] = outputs.enumerated().flatMap { bus, buffer in
      (0..<buffer.format.channelCount).map {
        job.outputBus ?? bus == bus ? buffer.pointer($0) : nil
      }
    }
    let list = EventList(job.events)
    var events = list.events
    let sizes = job.blockSizes.map { UInt32(min($0, format.maximumFrames)) }
    var music = job.music
    return withExtendedLifetime((list, outputs, job.inputs)) {
      inputs.withUnsafeBufferPointer { inputs in
        planes.withUnsafeBufferPointer { planes in
          sizes.withUnsafeBufferPointer { sizes in
            events.withUnsafeMutableBufferPointer { events in
              withUnsafeMutablePointer(to: &music) { music in
                var prepared = bl_host_job()
                prepared.frames = UInt32(job.frames)
                prepared.input_frames = UInt32(job.inputFrames ?? job.frames)
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
                prepared.input_memory = job.inputMemory
                prepared.keeps_denormals = job.keepsDenormals
                prepared.is_misaligned = job.isMisaligned
                prepared.follows_times = job.followsTimes
                prepared.music_context = UnsafeMutableRawPointer(music)
                prepared.music = job.music == nil ? nil : Self.music
                return body(&prepared)
              }
            }
          }
        }
      }
    }
  }

  private static let music: bl_music_source = { context, sampleTime, music, transport in
    let source = context?.assumingMemoryBound(
      to: ((Int64) -> (bl_musical_context, bl_transport_state))?.self)
    guard let music, let transport, let answer = source?.pointee?(sampleTime) else { return }
    (music.pointee, transport.pointee) = answer
  }

  private var sentMIDI: [MIDIOutputEvent] {
    guard let host, let messages = bl_unit_host_sent(host),
      let bytes = bl_unit_host_sent_bytes(host)
    else { return [] }
    return (0..<Int(bl_unit_host_sent_count(host))).map { index in
      let message = messages[index]
      let start = bytes + Int(message.offset)
      return MIDIOutputEvent(
        sampleTime: message.sample_time, cable: Int(message.cable),
        bytes: Array(UnsafeBufferPointer(start: start, count: Int(message.length))))
    }
  }
}

extension UnitFormat {
  func withConfiguration<Result>(
    _ body: (inout bl_render_configuration) throws -> Result
  ) rethrows -> Result {
    try bl_render_configuration.with(
      sampleRate: sampleRate, maximumFrames: maximumFrames, inputs: inputs, outputs: outputs, body)
  }
}
