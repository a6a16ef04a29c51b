import Glibc

/// Magnitudes in decibels of full scale.
enum Decibels {
  static func of(_ magnitude: Float) -> Double {
    magnitude > 0 ? 20 * log10(Double(magnitude)) : -.infinity
  }

  /// With one decimal; "-inf" below -99 dB.
  static func text(_ magnitude: Float) -> String {
    let decibels = of(magnitude)
    return decibels < -99 ? "-inf" : "\((decibels * 10).rounded() / 10)"
  }
}
