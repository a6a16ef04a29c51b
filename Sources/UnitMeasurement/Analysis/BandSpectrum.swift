import Foundation

/// The mean power spectrum of a sound in third-octave bands, after P. D. Welch, "The use of fast
/// Fourier transform for the estimation of power spectra", 1967.
enum BandSpectrum {
  private static let size = 8192

  /// Returns Hz and dB of channels × frames at 48 kHz, from 25 Hz to 20 kHz, six points per octave;
  /// a full-scale sine in one channel is at -3 dB.
  static func curve(of channels: [[Float]]) -> [Plot.Point] {
    let power = power(of: channels)
    let width = 48_000 / Double(size)
    return (0...58).map { step in
      let centre = 25 * pow(2, Double(step) / 6)
      // Sum the bins that lie wholly in the band, and fractions of those at its edges.
      let (low, high) = (centre * pow(2, -1.0 / 6) / width, centre * pow(2, 1.0 / 6) / width)
      let sum = (Int(low.rounded())...Int(high.rounded())).reduce(0.0) { sum, bin in
        let share = min(high, Double(bin) + 0.5) - max(low, Double(bin) - 0.5)
        return bin < power.count ? sum + share * power[bin] : sum
      }
      return Plot.Point(centre, 10 * log10(max(sum, 1e-12)))
    }
  }

  /// Returns the power of each bin, summed over channels and averaged over windows.
  private static func power(of channels: [[Float]]) -> [Double] {
    // Hann's window, whose mean square is 3/8.
    let window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
    let starts = Array(stride(from: 0, through: channels[0].count - size, by: size / 2))
    let scale = 2 / (Double(size) * Double(size) * 0.375 * Double(starts.count))
    var power = [Double](repeating: 0, count: size / 2 + 1)
    for channel in channels {
      for start in starts {
        let stretch = window.indices.map { window[$0] * Double(channel[start + $0]) }
        for (bin, magnitude) in FourierTransform.magnitudes(stretch).enumerated() {
          power[bin] += scale * magnitude * magnitude
        }
      }
    }
    return power
  }
}
