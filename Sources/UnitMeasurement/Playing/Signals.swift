import Foundation
import UnitValidation

/// Test signals.
package enum Signals {
  /// Returns white noise within ±1, the same for the same seed.
  package static func noise(frames: Int, seed: UInt64 = 1) -> [Float] {
    var random = Random(seed: seed)
    return (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// Returns pink noise, -3 dB per octave: white noise through Julius O. Smith's third-order filter.
  package static func pinkNoise(frames: Int, seed: UInt64 = 1) -> [Float] {
    let (b, a) = (
      [0.049922035, -0.095993537, 0.050612699, -0.004408786],
      [-2.494956002, 2.017265875, -0.5221894]
    )
    var (inputs, outputs) = ([0.0, 0, 0, 0], [0.0, 0, 0])
    return noise(frames: frames, seed: seed).map { sample -> Float in
      inputs = [Double(sample)] + inputs.dropLast()
      let next =
        zip(b, inputs).reduce(0) { $0 + $1.0 * $1.1 }
        - zip(a, outputs).reduce(0) { $0 + $1.0 * $1.1 }
      outputs = [next] + outputs.dropLast()
      return Float(next)
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
