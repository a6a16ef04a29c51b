import Glibc

/// Conversion of linear magnitudes to dBFS.
enum Decibels {
  static func of(_ magnitude: Float) -> Double {
    magnitude > 0 ? 20 * log10(Double(magnitude)) : -.infinity
  }

  /// Returns the decibels with one decimal; "-inf" below -99 dB.
  static func text(_ magnitude: Float) -> String {
    let decibels = of(magnitude)
    return decibels < -99 ? "-inf" : "\((decibels * 10).rounded() / 10)"
  }
}
