import AudioUnits
import CUnitHost

extension AudioPCMBuffer {
  package convenience init(channels: Int, frames: Int) {
    self.init(
      format: AudioFormat(sampleRate: 48_000, channelCount: channels), frameCapacity: frames)
  }

  /// Fills the buffer with white noise, determined by the seed.
  func fillWithNoise(amplitude: Float, seed: Int) {
    for channel in 0..<format.channelCount {
      bl_fill_noise(
        pointer(channel), UInt32(frameLength), amplitude, UInt64(100 * seed + channel + 1))
    }
  }

  /// Returns the first sample in which two buffers differ in a bit; nil if they are the same.
  func firstDifference(from other: AudioPCMBuffer) -> Position? {
    guard format == other.format, frameLength == other.frameLength else {
      return Position(channel: 0, frame: 0)
    }
    return first { bl_first_difference(pointer($0), other.pointer($0), UInt32(frameLength)) }
  }

  /// The first sample that is NaN or infinite.
  var firstNotFinite: Position? { first { bl_first_not_finite(pointer($0), UInt32(frameLength)) } }

  /// Returns the earliest frame of any channel, from `start` on, whose magnitude exceeds `level`.
  func firstFrame(above level: Float, from start: Int) -> Int? {
    let found = first { bl_first_above(pointer($0, at: start), UInt32(frameLength - start), level) }
    return found.map { $0.frame + start }
  }

  /// Returns the latest frame of any channel whose magnitude exceeds `level`.
  func lastFrame(above level: Float) -> Int? {
    let last = (0..<format.channelCount).map {
      bl_last_above(pointer($0), UInt32(frameLength), level)
    }.max()
    return last.flatMap { $0 < 0 ? nil : Int($0) }
  }

  /// Returns the peak magnitude from frame `start` to before frame `end`.
  func peak(from start: Int = 0, to end: Int? = nil) -> Float {
    let end = min(end ?? frameLength, frameLength)
    guard start < end else { return 0 }
    return (0..<format.channelCount).map {
      bl_peak(pointer($0, at: start), UInt32(end - start))
    }.max() ?? 0
  }

  private func first(_ search: (_ channel: Int) -> Int64) -> Position? {
    (0..<format.channelCount).compactMap { channel in
      let frame = search(channel)
      return frame < 0 ? nil : Position(channel: channel, frame: Int(frame))
    }.min { $0.frame < $1.frame }
  }

  /// The position of a sample in a buffer.
  struct Position: CustomStringConvertible {
    var channel: Int
    var frame: Int
    var description: String { "frame \(frame) of channel \(channel + 1)" }
  }
}
