import Foundation

/// The pitch of a periodic signal.
package enum Pitch {
  /// Returns the frequency between the first and the last upward zero crossing, Hz.
  package static func frequency(of signal: [Float], sampleRate: Double = 48_000) -> Double {
    let crossings = zip(signal, signal.dropFirst()).enumerated().compactMap { frame, pair in
      pair.0 < 0 && pair.1 >= 0 ? Double(frame) + Double(pair.0 / (pair.0 - pair.1)) : nil
    }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return Double(crossings.count - 1) / (last - first) * sampleRate
  }

  /// Returns the interval from one frequency to another, cents.
  package static func cents(from reference: Double, to frequency: Double) -> Double {
    1200 * log2(frequency / reference)
  }
}
