import CUnit

extension AudioUnit {
  /// Renders a whole buffer from frame `sampleTime` on, in as many cycles as needed, for callers that
  /// may wait. If a unit has several output busses, each is rendered before time advances, so that
  /// their buffers are no longer than `maximumFramesToRender`.
  ///
  /// - Parameters:
  ///   - output: a buffer in the format of output bus `bus`; its `frameLength` frames are rendered.
  ///   - inputs: the input busses' buffers, in their order. A bus without a buffer is not connected; a
  ///     buffer that is shorter than `output` is padded with silence.
  /// - Throws: `AudioUnitError` as the other `render`, and if a buffer's format is not its bus's or a
  ///   bus is disabled or missing.
  public func render(
    to output: AudioPCMBuffer, from inputs: [AudioPCMBuffer] = [], at sampleTime: Int64 = 0,
    bus: Int = 0
  ) throws(AudioUnitError) {
    guard outputBusses.indices.contains(bus) else { throw error("it has no output bus \(bus)") }
    guard inputs.count <= inputBusses.count else {
      throw error("it has no input bus \(inputBusses.count)")
    }
    try check(sampleTime: sampleTime)
    try check(output, fits: outputBusses[bus])
    for (input, bus) in zip(inputs, inputBusses) { try check(input, fits: bus) }
    var pointers = [UnsafeMutablePointer<Float>?](repeating: nil, count: output.format.channelCount)
    var done = 0
    while done < output.frameLength {
      let frames = min(output.frameLength - done, maximumFramesToRender)
      for channel in pointers.indices { pointers[channel] = output.pointer(channel, at: done) }
      try pointers.withUnsafeMutableBufferPointer { pointers throws(AudioUnitError) in
        var buffers = bl_buffers(
          channel_count: UInt32(pointers.count), channels: pointers.baseAddress)
        _ = try renderCycle(
          at: sampleTime + Int64(done), frames: frames, bus: bus, output: &buffers
        ) { _, _, frames, bus, input in
          guard inputs.indices.contains(bus) else { return .noConnection }
          inputs[bus].offer(frames, from: done, to: &input.pointee)
          return .ok
        }
      }
      done += frames
    }
  }

  private func check(_ buffer: AudioPCMBuffer, fits bus: Bus) throws(AudioUnitError) {
    guard bus.isEnabled else {
      throw error("\(bus.busType) bus “\(bus.name)” is not enabled")
    }
    guard buffer.format == bus.format else {
      throw error(
        "\(bus.busType) bus “\(bus.name)” has \(bus.format), and its buffer \(buffer.format)")
    }
  }
}

extension AudioPCMBuffer {
  /// Passes the memory itself if it holds all of the frames, otherwise a copy padded with silence.
  func offer(_ frames: Int, from first: Int, to input: inout bl_buffers) {
    let missing = min(max(-first, 0), frames)
    let present = min(max(frameLength - max(first, 0), 0), frames - missing)
    for channel in 0..<format.channelCount {
      if present == frames {
        input.channels[channel] = pointer(channel, at: first)
      } else if let samples = input.channels[channel] {
        samples.update(repeating: 0, count: frames)
        if present > 0, let start = pointer(channel, at: first + missing) {
          (samples + missing).update(from: start, count: present)
        }
      }
    }
  }
}
