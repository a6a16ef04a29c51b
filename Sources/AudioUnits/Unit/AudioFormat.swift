/// The format of a bus: 32-bit floats, not interleaved.
public struct AudioFormat: Sendable, Hashable {
  /// The range of sample rates that units support, Hz.
  public static let sampleRates = 1_000.0...768_000.0
  /// The sample rate of a new unit, Hz.
  static let defaultSampleRate = 48_000.0

  /// The sample rate, Hz.
  public var sampleRate: Double
  public var channelCount: Int

  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension AudioFormat: CustomStringConvertible {
  public var description: String {
    "\(channelCount == 1 ? "1 channel" : "\(channelCount) channels") at \(sampleRate) Hz"
  }
}
