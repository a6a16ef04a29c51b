import Foundation

/// The decay of an impulse response by backward integration: Schroeder, "New method of measuring
/// reverberation time", J. Acoust. Soc. Am. 37, 1965.
package struct Decay {
  /// dB of the energy that is still to come, frame by frame; 0 at the start.
  private let curve: [Double]
  private let sampleRate: Double

  package init(of impulse: [Float], sampleRate: Double = 48_000) {
    var energy = 0.0
    let sums = impulse.reversed().map { sample in
      energy += Double(sample) * Double(sample)
      return energy
    }
    curve = sums.reversed().map { 10 * log10(max($0 / energy, 1e-40)) }
    self.sampleRate = sampleRate
  }

  /// T30: seconds for 60 dB, from the fall from -5 to -35 dB.
  package var t30: Double { seconds(from: -5, to: -35) * 2 }
  /// Early decay time: seconds for 60 dB, from the fall from 0 to -10 dB.
  package var early: Double { seconds(from: 0, to: -10) * 6 }

  /// The time from the first frame at or below one level to that of another, dB.
  package func seconds(from high: Double, to low: Double) -> Double {
    guard let start = curve.firstIndex(where: { $0 <= high }),
      let end = curve.firstIndex(where: { $0 <= low })
    else { return .infinity }
    return Double(end - start) / sampleRate
  }

  /// Seconds and dB.
  package func points(_ count: Int = 200) -> [Plot.Point] {
    stride(from: 0, to: curve.count, by: max(1, curve.count / count)).map {
      Plot.Point(Double($0) / sampleRate, curve[$0])
    }
  }
}
