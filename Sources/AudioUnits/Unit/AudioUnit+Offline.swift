import CUnit
import UnitModel

/// Receives a block of an offline effect's output, valid during the call, and the length of the
/// whole output, frames.
public typealias OfflineOutputBlock = (_ block: AudioPCMBuffer, _ outputFrames: Int) throws -> Void

extension AudioUnit {
  /// Whether the unit is an offline effect, which reads a whole sound before it yields any output and
  /// is rendered only by `renderOffline`.
  public var isOfflineEffect: Bool { facts.isOfflineEffect }

  /// Renders a whole sound through an offline effect, in the formats of its busses.
  ///
  /// Blocks the caller until all is rendered. Parameters are frozen meanwhile: other threads that set
  /// one wait.
  ///
  /// - Parameters:
  ///   - frames: the length of the sound, frames.
  ///   - pullInput: provides frames of the sound, in any order and repeatedly; before its beginning
  ///     and after its end they are silent. An error that it throws ends the rendering.
  ///   - write: receives the output block by block.
  /// - Returns: the length of the output, frames.
  /// - Throws: `AudioUnitError` if the unit is of another type or runs in another process; or the error
  ///   that a block threw.
  @discardableResult
  public func renderOffline(
    frames: Int, pullInput: PullInputBlock, write: OfflineOutputBlock
  ) throws -> Int {
    guard isOfflineEffect else { throw error("is not an offline effect") }
    guard service == nil else {
      throw error("an offline effect cannot run in another process than its host's")
    }
    let rendered = try controlLock.withLock { _ in
      let settings = state.withLock { $0 }
      return try withOfflineResources(settings) { format in
        try withoutActuallyEscaping(pullInput) { pullInput in
          try OfflineRun(self, format, pullInput).render(frames, write)
        }
      }
    }
    notify(\.parameterValues)
    return rendered
  }

  /// Renders a sound in memory and returns the whole output; the busses take the sound's format.
  ///
  /// - Throws: as the other `renderOffline`, and if the unit refuses the format.
  public func renderOffline(_ sound: AudioPCMBuffer) throws -> AudioPCMBuffer {
    for bus in [inputBusses[0], outputBusses[0]] { try bus.setFormat(sound.format) }
    var output: AudioPCMBuffer?
    var done = 0
    let frames = try renderOffline(frames: sound.frameLength) { _, time, frames, _, input in
      sound.offer(frames, from: Int(time), to: &input.pointee)
      return .ok
    } write: { block, frames in
      let whole = output ?? AudioPCMBuffer(format: sound.format, frameCapacity: frames)
      output = whole
      for channel in 0..<sound.format.channelCount {
        guard let to = whole.pointer(channel, at: done), let from = block.pointer(channel) else {
          continue
        }
        to.update(from: from, count: block.frameLength)
      }
      done += block.frameLength
    }
    return output ?? AudioPCMBuffer(format: sound.format, frameCapacity: frames)
  }

  /// Runs `body` with the unit's resources allocated.
  private func withOfflineResources<Result>(
    _ settings: State, _ body: (AudioFormat) throws -> Result
  ) throws -> Result {
    let sampleRate = try checkedSampleRate(settings)
    try checkChannels(settings)
    let format = settings.outputs[0].format
    let status = bl_render_configuration.with(
      sampleRate: sampleRate, maximumFrames: settings.maximumFrames,
      inputs: settings.inputs.map(\.format.channelCount),
      outputs: settings.outputs.map(\.format.channelCount)
    ) { descriptor.pointee.allocate_render_resources(instance, &$0) }
    if let error = refusal(status, settings) { throw error }
    defer { descriptor.pointee.deallocate_render_resources(instance) }
    let result = try body(format)
    let meters = facts.allParameters(inputBusCount: settings.inputs.count).filter {
      !$0.info.flags.contains(.writable)
    }
    for meter in meters {
      let reading = descriptor.pointee.parameter_value(instance, meter.address)
      state.withLock { $0.parameters.values[meter.address] = reading }
    }
    return result
  }
}

/// One rendering by an offline effect.
private final class OfflineRun {
  private let unit: AudioUnit
  private let format: AudioFormat
  private let pullInput: PullInputBlock
  private var pullError: (any Error)?

  init(_ unit: AudioUnit, _ format: AudioFormat, _ pullInput: @escaping PullInputBlock) {
    (self.unit, self.format, self.pullInput) = (unit, format, pullInput)
  }

  func render(_ inputFrames: Int, _ write: OfflineOutputBlock) throws -> Int {
    let descriptor = unit.descriptor.pointee
    guard let preflight = descriptor.preflight else {
      throw unit.error("is not an offline effect")
    }
    var host = bl_render_host()
    host.size = UInt32(MemoryLayout<bl_render_host>.size)
    host.context = Unmanaged.passUnretained(self).toOpaque()
    host.pull_input = { context, flags, timestamp, frames, bus, input in
      guard let context, let timestamp, let input else {
        return bl_status(BL_ERROR_NO_CONNECTION)
      }
      return Unmanaged<OfflineRun>.fromOpaque(context).takeUnretainedValue()
        .pull(flags, timestamp.pointee.sample_time, Int(frames), Int(bus), input)
    }
    host.send_midi = { _, _, _, _, _ in bl_status(BL_ERROR_NO_CONNECTION) }
    return try withExtendedLifetime(self) {
      var length: UInt64 = 0
      try check(preflight(unit.instance, UInt64(max(0, inputFrames)), &host, &length))
      guard let frames = Int(exactly: length), frames <= Self.maximumFrames else {
        throw unit.error("its output would be \(length) frames long")
      }
      let capacity = min(unit.state.withLock { $0.maximumFrames }, max(frames, 1))
      let block = AudioPCMBuffer(format: format, frameCapacity: capacity)
      for start in stride(from: 0, to: frames, by: capacity) {
        block.frameLength = min(capacity, frames - start)
        try renderBlock(block, at: start, &host)
        try write(block, frames)
      }
      return frames
    }
  }

  /// The longest output, frames; far beyond any recording.
  private static let maximumFrames = 1 << 40

  private func renderBlock(
    _ block: AudioPCMBuffer, at start: Int, _ host: inout bl_render_host
  ) throws {
    var pointers = (0..<format.channelCount).map { block.pointer($0) }
    try pointers.withUnsafeMutableBufferPointer { pointers in
      var buffers = bl_buffers(
        channel_count: UInt32(pointers.count), channels: pointers.baseAddress)
      var timestamp = bl_timestamp(sample_time: Int64(start))
      try check(
        unit.descriptor.pointee.render(
          unit.instance, UInt32(BL_RENDER_OFFLINE | BL_RENDER_MAY_WAIT), &timestamp,
          UInt32(block.frameLength), 0, &buffers, nil, &host))
    }
    for channel in 0..<format.channelCount where block[channel].contains(where: { !$0.isFinite }) {
      throw unit.error("produced NaN or infinity")
    }
  }

  private func pull(
    _ flags: UInt32, _ time: Int64, _ frames: Int, _ bus: Int,
    _ input: UnsafeMutablePointer<bl_buffers>
  ) -> bl_status {
    do {
      return try pullInput(flags, time, frames, bus, input).rawValue
    } catch {
      pullError = error
      return bl_status(BL_ERROR_CANNOT_RENDER)
    }
  }

  private func check(_ status: bl_status) throws {
    if let pullError { throw pullError }
    guard status == BL_OK else {
      throw unit.error(
        Int(status) == Int(BL_ERROR_OUT_OF_MEMORY)
          ? "out of memory" : "cannot render (status \(status))")
    }
  }
}
