import Foundation

/// The echo density of an impulse response: Abel and Huang, "A simple, robust measure of
/// reverberation echo density", AES 121, 2006.
package enum EchoDensity {
  /// Returns the share of frames beyond the standard deviation in 20 ms around `time` (s),
  /// normalised to that of noise: 0 for a few echoes, 1 for noise.
  package static func normalised(
    _ impulse: [Float], at time: Double, sampleRate: Double = 48_000
  ) -> Double {
    let frames = Array(
      impulse[Int((time - 0.01) * sampleRate)..<Int((time + 0.01) * sampleRate)])
    let weights = frames.indices.map { pow(sin(.pi * Double($0) / Double(frames.count)), 2) }
    let squares = frames.map { Double($0) * Double($0) }
    let total = weights.reduce(0, +)
    let variance = zip(squares, weights).reduce(0) { $0 + $1.0 * $1.1 } / total
    let beyond = zip(squares, weights).reduce(0) { $0 + ($1.0 > variance ? $1.1 : 0) }
    return beyond / total / erfc(0.5.squareRoot())
  }
}
