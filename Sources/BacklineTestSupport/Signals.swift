import Foundation

/// Test signals.
package enum Signals {
  /// Returns white noise within ±1, the same for the same seed.
  package static func noise(frames: Int, seed: UInt64 = 1) -> [Float] {
    var random = Random(seed: seed)
    return (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// Returns a sine that starts at 0; `frequency` in Hz.
  package static func sine(
    frequency: Double, sampleRate: Double = 48_000, amplitude: Double = 1, frames: Int
  ) -> [Float] {
    (0..<frames).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate))
    }
  }

  package static func constant(_ value: Float, frames: Int) -> [Float] {
    [Float](repeating: value, count: frames)
  }

  /// Returns one frame of `amplitude`, then silence.
  package static func impulse(amplitude: Float = 1, frames: Int) -> [Float] {
    [amplitude] + [Float](repeating: 0, count: frames - 1)
  }

  /// Returns the largest step from one frame to the next.
  package static func largestStep(_ signal: some Collection<Float>) -> Float {
    zip(signal, signal.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }
}

/// A seeded random number generator: Sebastiano Vigna's SplitMix64, 2015.
package struct Random: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
