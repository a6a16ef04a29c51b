import Foundation
import UnitValidation

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

/// Random numbers that a seed repeats.
package typealias Random = SeededGenerator
