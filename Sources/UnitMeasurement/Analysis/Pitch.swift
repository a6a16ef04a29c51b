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

  /// Returns half of the range of a swaying pitch, % of its frequency in Hz.
  package static func deviation(
    of signal: [Float], around frequency: Double, span: Int = 48
  ) -> Double {
    let shifts = shifts(of: signal, from: frequency, span: span)
    return 100 * ((shifts.max() ?? .nan) - (shifts.min() ?? .nan)) / 2 / frequency
  }

  /// Returns the differences of a swaying pitch from a frequency, Hz: by the phases of spans of
  /// whole periods, frames, without the first 0.1 s at 48 kHz.
  package static func shifts(
    of signal: [Float], from frequency: Double, span: Int = 48
  ) -> [Double] {
    let phases = stride(from: 4800, to: signal.count - span, by: span).map {
      Spectrum.transform(Array(signal[$0..<$0 + span]), at: frequency).phase
    }
    return zip(phases, phases.dropFirst()).map {
      ($1 - $0).remainder(dividingBy: 2 * .pi) / (2 * .pi) * 48_000 / Double(span)
    }
  }

  /// Returns the frequency of a MIDI key in equal temperament, Hz.
  package static func ofKey(_ key: UInt8) -> Double { 440 * pow(2, (Double(key) - 69) / 12) }

  /// Returns the interval from one frequency to another, cents.
  package static func cents(from reference: Double, to frequency: Double) -> Double {
    1200 * log2(frequency / reference)
  }
}
