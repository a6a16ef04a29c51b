import Foundation

/// The analogue prototype of the low-pass and the high-pass filter.
package struct FilterReference {
  /// Hz.
  private let cutoff: Double
  /// dB per octave, a multiple of 12.
  private let slope: Int
  package let damping: Double

  /// - Parameters:
  ///   - cutoff: in Hz.
  ///   - resonance: in dB.
  package init(cutoff: Double, resonance: Double, slope: Int = 12) {
    (self.cutoff, self.slope) = (cutoff, slope)
    damping = 2.0.squareRoot() * pow(10, -resonance / 20)
  }

  /// Returns the gain at a frequency in Hz, dB, of Butterworth's pairs of poles 1 / (s² + k·s + 1),
  /// times s² for the high-pass; the resonance sharpens the sharpest pair.
  package func gain(at frequency: Double, isHighPass: Bool) -> Double {
    let s = Phasor(0, frequency / cutoff)
    let pairs = slope / 12
    var product = Phasor(1)
    for pair in 1...pairs {
      let butterworth = 2 * cos(.pi * (2 * Double(pair) - 1) / Double(4 * pairs))
      let k = pair == pairs ? butterworth * damping / 2.0.squareRoot() : butterworth
      let denominator = s * s + Phasor(k) * s + Phasor(1)
      product = product * (isHighPass ? s * s : Phasor(1)) / denominator
    }
    return Level.decibels(product.magnitude)
  }

  /// The figures of both filters.
  static func figures(isHighPass: Bool) -> [Figure] {
    [
      Figure("Gain at a cutoff of 500 Hz", in: "dB", .near(-3.0103, within: 0.0012)) { unit in
        let output = try unit.host(["cutoff": 500]).play(
          Signals.sine(frequency: 500, frames: 14_400))
        return Level.decibels(Spectrum.amplitude(Array(output.dropFirst(4800)), at: 500))
      },
      Figure("Gain at 1 kHz, resonance 20 dB", in: "dB", .near(16.99, within: 0.02)) { unit in
        FrequencyResponse(try unit.host(["cutoff": 1000, "resonance": 20])).gain(at: 1000)
      },
      Figure("Farthest from the analogue filter, nine settings", in: "dB", .atMost(0.05)) { unit in
        try FilterReference.error(of: unit, isHighPass: isHighPass)
      },
    ]
  }

  /// Returns a filter's largest difference from its prototype up to 16 kHz, dB; what lies below
  /// -80 dB counts as -80 dB.
  private static func error(of unit: BuiltInUnit, isHighPass: Bool) throws -> Double {
    let settings: [(Double, Double, Int)] = [
      (60, 0, 12), (200, 12, 48), (1000, 0, 24), (1000, -20, 12), (3000, 30, 36), (8000, 6, 12),
      (8000, 0, 48), (20_000, 0, 12), (isHighPass ? 12_000 : 8000, 0, 12),
    ]
    return try settings.map { cutoff, resonance, slope in
      let host = try unit.host([
        "cutoff": Float(cutoff), "resonance": Float(resonance), "slope": Float(slope / 12 - 1),
      ])
      let response = FrequencyResponse(host, frames: 40_000)
      let reference = FilterReference(cutoff: cutoff, resonance: resonance, slope: slope)
      let frequencies = [20, 55, cutoff / 2, cutoff * 0.98, cutoff, cutoff * 1.1, 12_345, 16_000]
      return frequencies.filter { $0 <= 18_000 }.map { frequency in
        let expected = reference.gain(at: frequency, isHighPass: isHighPass)
        return abs(max(response.gain(at: frequency), -80) - max(expected, -80))
      }.worst
    }.worst
  }
}
