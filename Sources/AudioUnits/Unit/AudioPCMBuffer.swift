import CUnit

/// Sound in memory: channels × frames of 32-bit floats, not interleaved.
///
/// A unit reads and writes it only while `AudioUnit.render` runs, on the caller's thread.
public final class AudioPCMBuffer {
  public let format: AudioFormat
  /// The capacity, frames.
  public let frameCapacity: Int
  private let memory: UnsafeMutablePointer<Float>

  /// The number of valid frames, from the first; initially `frameCapacity`.
  public var frameLength: Int {
    didSet { precondition((0...frameCapacity).contains(frameLength), "no room for these frames") }
  }

  /// Creates a silent buffer.
  public init(format: AudioFormat, frameCapacity: Int) {
    precondition(format.channelCount >= 0 && frameCapacity >= 0, "no buffer is that small")
    self.format = format
    self.frameCapacity = frameCapacity
    frameLength = frameCapacity
    let count = format.channelCount * frameCapacity
    memory = .allocate(capacity: max(count, 1))
    memory.initialize(repeating: 0, count: max(count, 1))
  }

  /// Creates a copy of channels × frames; shorter channels are padded with silence.
  public convenience init(_ channels: [[Float]], sampleRate: Double) {
    self.init(
      format: AudioFormat(sampleRate: sampleRate, channelCount: channels.count),
      frameCapacity: channels.map(\.count).max() ?? 0)
    for (channel, samples) in channels.enumerated() {
      _ = self[channel].update(fromContentsOf: samples)
    }
  }

  deinit { memory.deallocate() }

  /// One channel's frames, readable and writable: `buffer[0][frame] = 0.5`. Valid for as long as the
  /// buffer exists.
  public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition((0..<format.channelCount).contains(channel), "no such channel")
    return UnsafeMutableBufferPointer(
      start: memory + channel * frameCapacity, count: frameLength)
  }

  /// Returns the address of a frame; nil for an empty buffer.
  package func pointer(_ channel: Int, at frame: Int = 0) -> UnsafeMutablePointer<Float>? {
    self[channel].baseAddress.map { $0 + frame }
  }

  /// A copy of the samples, channels × frames.
  public var channels: [[Float]] { (0..<format.channelCount).map { Array(self[$0]) } }
}
