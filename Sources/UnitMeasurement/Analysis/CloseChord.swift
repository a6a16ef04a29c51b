import Foundation

/// A low close chord, A2–C♯3–E3, to test pitch shifters and time stretchers: windows too short to
/// resolve its notes smear it.
package enum CloseChord {
  /// The partials, eight harmonics of each note with falling amplitudes: Hz and amplitude.
  private static let partials = [0, 4, 7].flatMap { interval in
    (1...8).map { harmonic -> (Double, Double) in
      (110 * pow(2, Double(interval) / 12) * Double(harmonic), 0.08 / Double(harmonic))
    }
  }
  /// The frames that `clarity` analyses, and those that it skips at the end, where windows run out
  /// of sound.
  private static let (frames, margin) = (65_536, 24_000)

  /// The chord, 2.5 s at 48 kHz.
  package static var sound: [Float] {
    var sum = Signals.constant(0, frames: 120_000)
    for (frequency, amplitude) in partials {
      let sine = Signals.sine(frequency: frequency, amplitude: amplitude, frames: sum.count)
      for frame in sum.indices { sum[frame] += sine[frame] }
    }
    return sum
  }

  /// Returns the power within 3 Hz of the partials, moved by a ratio, relative to all other power,
  /// dB.
  package static func clarity(of output: [Float], movedBy ratio: Double = 1) -> Double {
    let weighted = output.dropLast(margin).suffix(frames).enumerated().map { frame, sample in
      let turn = 2 * .pi * Double(frame) / Double(frames)
      return Double(sample) * (0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn))  // Blackman's window
    }
    let bin = 48_000 / Double(frames)
    var (own, rest) = (0.0, 0.0)
    for (index, magnitude) in FourierTransform.magnitudes(weighted).enumerated() {
      let frequency = Double(index) * bin
      let isOwn = partials.contains { abs(frequency - $0.0 * ratio) < 3 }
      if isOwn { own += magnitude * magnitude } else { rest += magnitude * magnitude }
    }
    return 10 * log10(own / rest)
  }
}
