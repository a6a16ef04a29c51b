import Foundation

/// The sum of the aliases of a distorted sine.
package enum AliasSum {
  /// 79 times 62.5 Hz: 768 frames hold whole periods of it and of all its aliases.
  package static let fundamental = 4937.5
  package static let frames = 768

  /// Returns what is between the harmonics of the sine in the last frames, up to 19 kHz, where the
  /// filters of units begin to let go, dBc.
  package static func level(_ signal: [Float]) -> Double {
    let end = Array(signal.suffix(frames))
    var (harmonics, aliases) = (0.0, 0.0)
    for bin in 1..<304 {
      let power = pow(Spectrum.amplitude(end, at: 62.5 * Double(bin)), 2)
      if bin.isMultiple(of: 79) { harmonics += power } else { aliases += power }
    }
    return 10 * log10(aliases / harmonics)
  }
}
