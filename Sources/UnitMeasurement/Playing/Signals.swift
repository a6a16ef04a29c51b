import Foundation
import UnitValidation

/// Test signals.
package enum Signals {
  /// Returns white noise within ±1, the same for the same seed.
  package static func noise(frames: Int, seed: UInt64 = 1) -> [Float] {
    var random = Random(seed: seed)
    return (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// Returns noise at 48 kHz that falls by 3 dB per octave from 30 Hz on: white noise through
  /// low-passes two octaves apart.
  package static func pinkNoise(frames: Int, seed: UInt64 = 1) -> [Float] {
    var sums = [Double](repeating: 0, count: 6)
    let paces = sums.indices.map { 1 - exp(-2 * Double.pi * 30 * pow(4, Double($0)) / 48_000) }
    return noise(frames: frames, seed: seed).map { white -> Float in
      var sum = 0.0
      for place in sums.indices {
        sums[place] += paces[place] * (Double(white) - sums[place])
        sum += sums[place] / pow(2, Double(place))
      }
      return Float(sum)
    }
  }

  /// Four strokes of noise that decay, a quarter of a second apart at 48 kHz.
  package static let strokes: [Float] = {
    let white = noise(frames: 48_000)
    return white.indices.map { white[$0] * Float(exp(-Double($0 % 12_000) / 2000)) }
  }()

  /// Returns ten harmonics of 220 Hz at 48 kHz, falling by 6 dB per octave.
  package static func harmonics(frames: Int) -> [Float] {
    var sum = constant(0, frames: frames)
    for harmonic in 1...10 {
      let sine = sine(
        frequency: 220 * Double(harmonic), amplitude: 0.2 / Double(harmonic), frames: frames)
      for frame in sum.indices { sum[frame] += sine[frame] }
    }
    return sum
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
