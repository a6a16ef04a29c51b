import Foundation

/// The levels of the sines in a signal, under a window whose side lobes lie below -180 dB: the
/// seven-term Blackman-Harris window of Albrecht, "A family of cosine-sum windows for
/// high-resolution measurements", ICASSP 2001. The level of a sine between two bins is up to 0.9 dB
/// low; `SineFit` is exact.
package struct LineSpectrum {
  private static let window = [
    0.27105140069342, 0.43329793923448, 0.21812299954311, 0.06592544638803, 0.01081174209837,
    0.00077658482522, 0.00001388721735,
  ]
  /// The bins on either side of a sine's own bin that belong to its main lobe.
  private static let lobe = 8

  private let magnitudes: [Double]
  private let sampleRate: Double

  /// Analyses the last frames of the signal; the length is the largest power of two that fits.
  package init(_ signal: [Float], sampleRate: Double = 48_000) {
    let count = 1 << (Int.bitWidth - 1 - signal.count.leadingZeroBitCount)
    let weighted = signal.suffix(count).enumerated().map { index, sample in
      let angle = 2 * .pi * Double(index) / Double(count)
      var weight = 0.0
      for (term, factor) in Self.window.enumerated() {
        weight += (term.isMultiple(of: 2) ? factor : -factor) * cos(angle * Double(term))
      }
      return Double(sample) * weight
    }
    let scale = 2 / (Double(count) * Self.window[0])
    magnitudes = FourierTransform.magnitudes(weighted).map { $0 * scale }
    self.sampleRate = sampleRate
  }

  /// Returns the level of a sine near that frequency in Hz, dB; an amplitude of 1 is 0 dB.
  package func level(at frequency: Double) -> Double {
    let near = bin(frequency)
    return Level.decibels(
      magnitudes[max(0, near - 2)...min(magnitudes.count - 1, near + 2)].max() ?? 0)
  }

  /// Returns the frequency of the highest line within 10 % of a frequency, Hz, by parabolic
  /// interpolation of the decibels of its three highest bins.
  package func frequency(near frequency: Double) -> Double {
    let range = bin(0.9 * frequency)...bin(1.1 * frequency)
    guard let top = range.max(by: { magnitudes[$0] < magnitudes[$1] }) else { return 0 }
    let (a, b, c) = (
      log(magnitudes[top - 1]), log(magnitudes[top]), log(magnitudes[top + 1])
    )
    let offset = (a - c) / (2 * (a - 2 * b + c))
    return (Double(top) + offset) * sampleRate / Double(2 * (magnitudes.count - 1))
  }

  /// Returns the level of the highest line from `low` to `high` Hz, except at `known` frequencies,
  /// dB.
  package func peak(from low: Double, to high: Double, except known: [Double] = []) -> Double {
    var rest = magnitudes
    for frequency in known {
      let near = bin(frequency)
      for index in max(0, near - Self.lobe)...near + Self.lobe where rest.indices.contains(index) {
        rest[index] = 0
      }
    }
    return Level.decibels(rest[bin(low)...min(bin(high), rest.count - 1)].max() ?? 0)
  }

  /// Returns the level of the highest line below `limit` Hz that is neither DC nor a harmonic of
  /// `fundamental`, relative to the highest harmonic, dBc. Aliases of a distorted sine are such lines.
  package func worstAlias(of fundamental: Double, below limit: Double = 20_000) -> Double {
    let harmonics = (0...Int(sampleRate / 2 / fundamental)).map { Double($0) * fundamental }
    let highest = harmonics.dropFirst().map { level(at: $0) }.max() ?? 0
    return peak(from: 0, to: limit, except: harmonics) - highest
  }

  /// Returns the RMS sum of all harmonics, relative to the fundamental, dBc.
  package func totalHarmonicDistortion(of fundamental: Double) -> Double {
    let harmonics = stride(from: 2 * fundamental, to: sampleRate / 2, by: fundamental)
    let power = harmonics.reduce(0) { $0 + pow(10, level(at: $1) / 10) }
    return 10 * log10(max(power, 1e-40)) - level(at: fundamental)
  }

  /// Returns the highest line of each of `points` logarithmic bands, Hz and dB.
  package func curve(from low: Double = 20, to high: Double = 20_000, points: Int = 300)
    -> [Plot.Point]
  {
    (0..<points).map { index in
      let start = low * pow(high / low, Double(index) / Double(points))
      let end = low * pow(high / low, Double(index + 1) / Double(points))
      return Plot.Point((start * end).squareRoot(), peak(from: start, to: end))
    }
  }

  private func bin(_ frequency: Double) -> Int {
    Int((frequency / sampleRate * Double(2 * (magnitudes.count - 1))).rounded())
  }
}
