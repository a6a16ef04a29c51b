import RackModel
import SoundFiles

/// Writes the blocks of the rack's outputs without their latency.
final class OutputSink {
  /// Frames of each output port that are left out.
  let skip: [Int]
  private let ports: [Port]
  private let writers: [SoundFileWriter?]
  private var done = 0

  init(plan: Plan, writers: [SoundFileWriter?], skip: [Int]) {
    ports = plan.outputs
    self.writers = writers
    self.skip = skip
  }

  /// Writes a block, every channel of every port, of which `end` frames are kept in all; returns its
  /// largest magnitude.
  func write(
    _ channels: [UnsafeMutablePointer<Float>], frames: Int, upTo end: Int
  ) throws -> Float {
    var first = 0
    var peak: Float = 0
    for (place, port) in ports.enumerated() {
      let start = max(0, min(frames, skip[place] - done))
      let stop = min(frames, end + skip[place] - done)
      let own = (first..<first + port.channelCount).map { channel in
        UnsafeBufferPointer(start: channels[channel] + start, count: max(0, stop - start))
      }
      for channel in own { peak = max(peak, Self.peak(of: channel)) }
      try writers[place]?.write(own)
      first += port.channelCount
    }
    done += frames
    return peak
  }

  /// Magnitudes order like their bits, and integers are compared many at a time.
  private static func peak(of samples: UnsafeBufferPointer<Float>) -> Float {
    var bits: UInt32 = 0
    for sample in samples { bits = max(bits, sample.magnitude.bitPattern) }
    return Float(bitPattern: bits)
  }
}
