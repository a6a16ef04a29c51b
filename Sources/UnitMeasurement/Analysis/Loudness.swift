import Foundation

/// Integrated loudness after ITU-R BS.1770-5, of sound at 48 kHz.
package enum Loudness {
  /// Returns the loudness of channels × frames, mono or stereo, LUFS; -infinity if nothing passes
  /// the gate.
  package static func integrated(_ channels: [[Float]]) -> Double {
    let weighted = channels.map(weighted)
    // The blocks of 400 ms start every 100 ms.
    let starts = stride(from: 0, through: weighted[0].count - 19_200, by: 4800)
    let powers = starts.map { start in
      weighted.reduce(0.0) { sum, squares in
        sum + squares[start..<start + 19_200].reduce(0, +) / 19_200
      }
    }
    let audible = powers.filter { loudness($0) > -70 }
    let gate = loudness(mean(audible)) - 10
    return loudness(mean(audible.filter { loudness($0) > gate }))
  }

  private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  /// Returns a channel's squared samples after the two filters of the standard's annex 1.
  private static func weighted(_ channel: [Float]) -> [Double] {
    var head = Biquad(
      b: (1.53512485958697, -2.69169618940638, 1.19839281085285),
      a: (-1.69065929318241, 0.73248077421585))
    var lowCut = Biquad(b: (1, -2, 1), a: (-1.99004745483398, 0.99007225036621))
    return channel.map { sample in
      let value = lowCut.filter(head.filter(Double(sample)))
      return value * value
    }
  }

  private struct Biquad {
    let b: (Double, Double, Double)
    let a: (Double, Double)
    private var state = (0.0, 0.0)

    init(b: (Double, Double, Double), a: (Double, Double)) { (self.b, self.a) = (b, a) }

    mutating func filter(_ input: Double) -> Double {
      let output = b.0 * input + state.0
      state = (b.1 * input - a.0 * output + state.1, b.2 * input - a.1 * output)
      return output
    }
  }
}
