import Foundation

/// The gain of a linear unit over frequency, from its impulse response.
package struct FrequencyResponse {
  private let impulse: [Float]
  private let sampleRate: Double

  package init(of impulse: [Float], sampleRate: Double = 48_000) {
    (self.impulse, self.sampleRate) = (impulse, sampleRate)
  }

  /// Measures an instance that has just been created.
  package init(_ host: UnitHost, frames: Int = 8192) {
    self.init(of: host.impulseResponse(frames: frames), sampleRate: host.sampleRate)
  }

  /// Returns the gain at a frequency in Hz, dB.
  package func gain(at frequency: Double) -> Double {
    let response = Spectrum.transform(impulse, at: frequency, sampleRate: sampleRate)
    return Level.decibels(response.magnitude)
  }

  /// Returns the gain curve, Hz and dB, at logarithmically spaced frequencies.
  package func curve(from low: Double = 20, to high: Double = 20_000, points: Int = 121)
    -> [Plot.Point]
  {
    (0..<points).map { index in
      let frequency = low * pow(high / low, Double(index) / Double(points - 1))
      return Plot.Point(frequency, gain(at: frequency))
    }
  }
}
