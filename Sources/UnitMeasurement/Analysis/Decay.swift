import Foundation

/// The decay of an impulse response by backward integration: Schroeder, "New method of measuring
/// reverberation time", J. Acoust. Soc. Am. 37, 1965.
package struct Decay {
  /// The energy that remains after each frame, dB; 0 at the start.
  private let curve: [Double]
  private let sampleRate: Double

  /// Analyses only the octave around a frequency, Hz.
  package init(of impulse: [Float], around frequency: Double, sampleRate: Double = 48_000) {
    self.init(
      of: Self.octave(impulse, around: frequency, sampleRate: sampleRate), sampleRate: sampleRate)
  }

  package init(of impulse: [Float], sampleRate: Double = 48_000) {
    var energy = 0.0
    let sums = impulse.reversed().map { sample in
      energy += Double(sample) * Double(sample)
      return energy
    }
    curve = sums.reversed().map { 10 * log10(max($0 / energy, 1e-40)) }
    self.sampleRate = sampleRate
  }

  /// Filters by two second-order band-passes, run backwards so that they do not lengthen the decay.
  private static func octave(
    _ impulse: [Float], around frequency: Double, sampleRate: Double
  ) -> [Float] {
    let w = 2 * .pi * frequency / sampleRate
    let alpha = sin(w) / 2.0.squareRoot() / 2
    let (feedback, twice) = ((1 - alpha) / (1 + alpha), 2 * cos(w) / (1 + alpha))
    let gain = alpha / (1 + alpha)
    var past = [Double](repeating: 0, count: 6)  // x, the first filter's y, the second's
    let filtered = impulse.reversed().map { sample in
      let x = Double(sample)
      let first = gain * (x - past[1]) + twice * past[2] - feedback * past[3]
      let second = gain * (first - past[3]) + twice * past[4] - feedback * past[5]
      past = [x, past[0], first, past[2], second, past[4]]
      return Float(second)
    }
    return filtered.reversed()
  }

  /// T30: the time for 60 dB, extrapolated from the decay from -5 to -35 dB, seconds.
  package var t30: Double { seconds(from: -5, to: -35) * 2 }

  /// T30 by the least-squares line of ISO 3382-1 through all of -5 to -35 dB, seconds.
  package var lineT30: Double {
    let part = curve.enumerated().filter { $0.element < -5 && $0.element > -35 }
    let time = part.reduce(0) { $0 + Double($1.offset) } / Double(part.count)
    let level = part.reduce(0) { $0 + $1.element } / Double(part.count)
    let product = part.reduce(0) { $0 + (Double($1.offset) - time) * ($1.element - level) }
    let square = part.reduce(0) { $0 + pow(Double($1.offset) - time, 2) }
    return -60 * square / product / sampleRate
  }

  /// The early decay time for 60 dB, extrapolated from the decay from 0 to -10 dB, seconds.
  package var early: Double { seconds(from: 0, to: -10) * 6 }

  /// Returns the time from the first frame at or below one level to that of another; levels in dB,
  /// seconds.
  package func seconds(from high: Double, to low: Double) -> Double {
    guard let start = curve.firstIndex(where: { $0 <= high }),
      let end = curve.firstIndex(where: { $0 <= low })
    else { return .infinity }
    return Double(end - start) / sampleRate
  }

  /// Returns the curve in seconds and dB.
  package func points(_ count: Int = 200) -> [Plot.Point] {
    stride(from: 0, to: curve.count, by: max(1, curve.count / count)).map {
      Plot.Point(Double($0) / sampleRate, curve[$0])
    }
  }
}
