import RackModel

/// Writes the blocks of the rack's outputs without their latency.
final class OutputSink {
  /// The number of first frames that are left out, by output port.
  let skip: [Int]
  private let ports: [Port]
  private let destinations: [(any OfflineDestination)?]
  private var done = 0
  /// Quiet blocks since the last that was written, by port and channel.
  private var quiet: [[[UnsafeMutableBufferPointer<Float>]]] = []

  init(plan: Plan, destinations: [(any OfflineDestination)?], skip: [Int]) {
    ports = plan.outputs
    self.destinations = destinations
    self.skip = skip
  }

  deinit { dropQuiet() }

  /// Writes a block, channels × frames of all ports; returns the block's largest magnitude. `end` is the number
  /// of frames kept in all. A block below `level` is written once a louder block follows.
  func write(
    _ channels: [UnsafeMutablePointer<Float>], frames: Int, upTo end: Int, waitingBelow level: Float
  ) throws -> Float {
    var first = 0
    let block = ports.enumerated().map { index, port in
      let start = max(0, min(frames, skip[index] - done))
      let stop = min(frames, end + skip[index] - done)
      defer { first += port.channelCount }
      return (first..<first + port.channelCount).map { channel in
        UnsafeBufferPointer(start: channels[channel] + start, count: max(0, stop - start))
      }
    }
    done += frames
    let peak = block.joined().map(Self.peak).max() ?? 0
    if peak < level {
      quiet.append(block.map { $0.map(Self.copy) })
      return peak
    }
    for block in quiet { try write(block.map { $0.map { UnsafeBufferPointer($0) } }) }
    dropQuiet()
    try write(block)
    return peak
  }

  private func write(_ block: [[UnsafeBufferPointer<Float>]]) throws {
    for (destination, channels) in zip(destinations, block) { try destination?.write(channels) }
  }

  private func dropQuiet() {
    for samples in quiet.joined().joined() { samples.deallocate() }
    quiet = []
  }

  private static func copy(
    of samples: UnsafeBufferPointer<Float>
  ) -> UnsafeMutableBufferPointer<Float> {
    let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
    _ = copy.initialize(from: samples)
    return copy
  }

  /// Returns the largest magnitude. Magnitudes order like their bits, and integer comparison vectorizes.
  private static func peak(of samples: UnsafeBufferPointer<Float>) -> Float {
    var bits: UInt32 = 0
    for sample in samples { bits = max(bits, sample.magnitude.bitPattern) }
    return Float(bitPattern: bits)
  }
}
