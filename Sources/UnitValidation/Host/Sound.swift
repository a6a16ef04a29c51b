import CUnitHost

/// Samples, channels × frames; zero at first.
public final class Sound {
  public let channelCount: Int
  public let frames: Int
  private let samples: UnsafeMutablePointer<Float>

  public init(channels: Int, frames: Int) {
    channelCount = channels
    self.frames = frames
    samples = .allocate(capacity: max(1, channels * frames))
    samples.initialize(repeating: 0, count: max(1, channels * frames))
  }

  deinit { samples.deallocate() }

  /// White noise, the same for the same seed.
  static func noise(channels: Int, frames: Int, amplitude: Float = 1, seed: Int) -> Sound {
    let sound = Sound(channels: channels, frames: frames)
    for channel in 0..<channels {
      bl_fill_noise(
        sound.channel(channel), UInt32(frames), amplitude, UInt64(100 * seed + channel + 1))
    }
    return sound
  }

  /// The same value at every frame.
  static func constant(_ value: Float, channels: Int, frames: Int) -> Sound {
    let sound = Sound(channels: channels, frames: frames)
    sound.samples.update(repeating: value, count: channels * frames)
    return sound
  }

  public func channel(_ index: Int) -> UnsafeMutablePointer<Float> { samples + index * frames }

  /// Where two sounds differ first in a bit; nil where they are the same.
  func firstDifference(from other: Sound) -> Place? {
    guard channelCount == other.channelCount, frames == other.frames else {
      return Place(channel: 0, frame: 0)
    }
    return first { bl_first_difference(channel($0), other.channel($0), UInt32(frames)) }
  }

  /// Where the first sample is that is NaN or infinite.
  var firstNotFinite: Place? { first { bl_first_not_finite(channel($0), UInt32(frames)) } }

  /// The earliest frame of any channel, `start` or later, whose magnitude is above `level`.
  func firstFrame(above level: Float, from start: Int) -> Int? {
    let found = first { bl_first_above(channel($0) + start, UInt32(frames - start), level) }
    return found.map { $0.frame + start }
  }

  /// The latest such frame.
  func lastFrame(above level: Float) -> Int? {
    let last = (0..<channelCount).map { bl_last_above(channel($0), UInt32(frames), level) }.max()
    return last.flatMap { $0 < 0 ? nil : Int($0) }
  }

  /// The largest magnitude from `first` on.
  func peak(from first: Int = 0, to end: Int? = nil) -> Float {
    let end = min(end ?? frames, frames)
    guard first < end else { return 0 }
    return (0..<channelCount).map { bl_peak(channel($0) + first, UInt32(end - first)) }.max() ?? 0
  }

  private func first(_ search: (Int) -> Int64) -> Place? {
    (0..<channelCount).compactMap { index in
      let frame = search(index)
      return frame < 0 ? nil : Place(channel: index, frame: Int(frame))
    }.min { $0.frame < $1.frame }
  }

  /// One sample of a sound.
  struct Place: CustomStringConvertible {
    var channel: Int
    var frame: Int
    var description: String { "frame \(frame) of channel \(channel + 1)" }
  }
}
