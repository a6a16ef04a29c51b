import Foundation

/// Levels of signals in decibels.
package enum Level {
  /// Converts an amplitude to dB, at least -400, so that silence can be drawn.
  package static func decibels(_ amplitude: Double) -> Double {
    20 * log10(max(abs(amplitude), 1e-20))
  }

  package static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// Returns the gain from one sample to another, dB; no number if their signs differ.
  package static func gain(from input: Float, to output: Float) -> Double {
    let ratio = Double(output) / Double(input)
    return ratio < 0 ? .nan : decibels(ratio)
  }

  /// Returns the peak magnitude, dB.
  package static func peak(_ signal: some Collection<Float>) -> Double {
    decibels(Double(signal.reduce(0) { max($0, abs($1)) }))
  }

  /// Returns the RMS level, dB; a full-scale sine has -3.01.
  package static func rms(_ signal: some Collection<Float>) -> Double {
    decibels((energy(signal) / Double(signal.count)).squareRoot())
  }

  /// Returns the sum of the squares.
  package static func energy(_ signal: some Sequence<Float>) -> Double {
    signal.reduce(0.0) { $0 + Double($1) * Double($1) }
  }
}
