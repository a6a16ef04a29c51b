import BacklineTestSupport
import CUnit
import Foundation

/// What the filter units should do, by the textbook and in double precision.
struct FilterReference {
  var cutoff: Double
  var resonance: Double
  var sampleRate = 48_000.0

  var damping: Double { 2.0.squareRoot() * pow(10, -resonance / 20) }

  /// The analogue prototype at the frequency that the bilinear transform maps to `frequency`:
  /// 1 / (s² + k·s + 1), times s² for the high-pass.
  func response(at frequency: Double, isHighPass: Bool) -> Phasor {
    let warped = tan(.pi * frequency / sampleRate) / tan(.pi * cutoff / sampleRate)
    let s = Phasor(0, warped)
    let denominator = s * s + Phasor(damping) * s + Phasor(1)
    return (isHighPass ? s * s : Phasor(1)) / denominator
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
