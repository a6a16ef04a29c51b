import BacklineTestSupport
import CUnit
import Foundation

/// What the filter units should do, by the textbook and in double precision.
struct FilterReference {
  var cutoff: Double
  var resonance: Double
  /// dB per octave, a multiple of 12.
  var slope = 12

  var damping: Double { 2.0.squareRoot() * pow(10, -resonance / 20) }

  /// The analogue prototype: Butterworth's pairs of poles 1 / (s² + k·s + 1), times s² for the
  /// high-pass; the resonance sharpens the sharpest.
  func response(at frequency: Double, isHighPass: Bool) -> Phasor {
    let s = Phasor(0, frequency / cutoff)
    let pairs = slope / 12
    var product = Phasor(1)
    for pair in 1...pairs {
      let butterworth = 2 * cos(.pi * (2 * Double(pair) - 1) / Double(4 * pairs))
      let k = pair == pairs ? butterworth * damping / 2.0.squareRoot() : butterworth
      let denominator = s * s + Phasor(k) * s + Phasor(1)
      product = product * (isHighPass ? s * s : Phasor(1)) / denominator
    }
    return product
  }

  /// Trapezoidal integrators solved for the band-pass node (Zavalishin 2012, section 4.4), with the
  /// cutoff of each frame; answers the low-pass and the high-pass.
  static func run(
    _ input: [Float], cutoffs: [Double], damping: Double, sampleRate: Double = 48_000
  ) -> (low: [Double], high: [Double]) {
    var first = 0.0
    var second = 0.0
    var lows: [Double] = []
    var highs: [Double] = []
    for (sample, cutoff) in zip(input, cutoffs) {
      let g = tan(.pi * cutoff / sampleRate)
      let high = (Double(sample) - (g + damping) * first - second) / (1 + g * (g + damping))
      let band = g * high + first
      first = g * high + band
      let low = g * band + second
      second = g * band + low
      lows.append(low)
      highs.append(high)
    }
    return (lows, highs)
  }
}
