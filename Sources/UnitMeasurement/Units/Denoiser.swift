import Foundation

extension MeasuredUnit {
  static let denoiser = MeasuredUnit(
    "aufx/dnoi/bkln", material: .voice,
    figures: [
      Figure(
        "Fall of white noise beside amounts of 6, 12 and 18 dB: worst difference", in: "dB",
        .atMost(0.5)
      ) { unit in
        let noise = Signals.noise(frames: 192_000).map { $0 * 0.05 }
        return Deviation.worst(
          try ([6, 12, 18] as [Float]).map { amount -> Double in
            let output = try unit.host(["amount": amount, "smooth": 85]).play(noise)
            return Level.rms(noise.suffix(96_000)) - Level.rms(output.suffix(96_000))
              - Double(amount)
          })
      },
      Figure(
        "Change of level of a tone of 1 kHz that begins 16 dB above noise", in: "dB",
        .near(0, within: 0.05)
      ) { unit in
        let tone = Signals.sine(frequency: 1000, amplitude: 0.5, frames: 48_000)
        let input = zip(
          Signals.noise(frames: 192_000), Signals.constant(0, frames: 144_000) + tone
        ).map { 0.1 * $0 + $1 }
        let output = try unit.host().play(input)
        let amplitudes = [input[150_000..<183_600], output[151_280..<184_880]].map {
          Spectrum.amplitude(Array($0), at: 1000)
        }
        return Level.decibels(amplitudes[1] / amplitudes[0])
      },
      Figure(
        "Speech in pink noise 10 dB softer, amount 20, smooth 85: gain of the ratio", in: "dB",
        .atLeast(8)
      ) { unit in
        let (kept, left) = try separated(by: unit)
        return kept - left - 10
      },
      Figure("Speech in pink noise: change of level of the speech", in: "dB", .atLeast(-1.5)) {
        unit in
        try separated(by: unit).speech - Level.rms(speech.suffix(192_000))
      },
      Figure(
        "Speech in pink noise: log-spectral distance to the speech, after it", in: "dB", .atMost(3)
      ) { unit in
        let noisy = zip(speech, pink(below: speech)).map { $0 + $1 }
        let output = try unit.host(strong).play(noisy + Signals.constant(0, frames: 1280))
        return distance(output[145_280...], speech[144_000...])
      },
      Figure(
        "Speech in pink noise: fall of the log-spectral distance to the speech", in: "dB",
        .atLeast(2.9)
      ) { unit in
        let noisy = zip(speech, pink(below: speech)).map { $0 + $1 }
        let output = try unit.host(strong).play(noisy + Signals.constant(0, frames: 1280))
        return distance(noisy[144_000...], speech[144_000...])
          - distance(output[145_280...], speech[144_000...])
      },
      Figure(
        "Pink noise, amount 20, smooth 85: kurtosis of its powers, after by before", in: "",
        .atMost(1.3)
      ) { unit in
        let noise = pink(below: speech)
        let output = try unit.host(strong).play(noise)
        return kurtosis(output[96_000..<192_000]) / kurtosis(noise[96_000..<192_000])
      },
    ]
  ) { unit in
    let noise = Signals.noise(frames: 192_000).map { $0 * 0.02 }
    let input = zip(noise, Signals.constant(0, frames: 96_000) + Material.voice.samples).map {
      $0 + $1
    }
    return Plot(
      "Level of a voice that begins after two seconds of hiss, by amount",
      x: .seconds(4, step: 0.5), y: .decibels(-84...0, step: 12, "Level"),
      try ([0, 12, 24] as [Float]).map { amount in
        let output = try unit.host(["amount": amount]).play(input)
        return Plot.Curve("\(Int(amount)) dB", Plot.Point.levels(of: output, window: 0.02))
      })
  }

  private static let strong: [String: Float] = ["amount": 20, "smooth": 85]

  /// Four seconds of a voice after three seconds of silence.
  private static let speech = Signals.constant(0, frames: 144_000) + Material.voice.samples

  /// Returns pink noise 10 dB below the voice.
  private static func pink(below speech: [Float]) -> [Float] {
    let noise = Signals.pinkNoise(frames: speech.count, seed: 9)
    let gain = Level.amplitude(Level.rms(speech.suffix(192_000)) - 10 - Level.rms(noise))
    return noise.map { $0 * Float(gain) }
  }

  /// Returns the levels of speech and noise after the unit, dB. Two runs with the noise's sign
  /// inverted separate them: Hagerman and Olofsson, "A method to measure the effect of noise
  /// reduction algorithms using simultaneous speech and noise", Acta Acustica 90, 2004.
  private static func separated(by unit: BuiltInUnit) throws -> (speech: Double, noise: Double) {
    let noise = pink(below: speech)
    let runs = try ([1, -1] as [Float]).map { sign in
      try unit.host(strong).play(zip(speech, noise).map { $0 + sign * $1 }).suffix(192_000)
    }
    let kept = zip(runs[0], runs[1]).map { ($0 + $1) / 2 }
    let left = zip(runs[0], runs[1]).map { ($0 - $1) / 2 }
    return (Level.rms(kept), Level.rms(left))
  }

  /// Returns the powers of windows of 1024 frames, half a window apart: windows × bins.
  private static func powers(_ signal: ArraySlice<Float>) -> [[Double]] {
    let window = (0..<1024).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / 1024) }
    return stride(from: signal.startIndex, through: signal.endIndex - 1024, by: 512).map { start in
      let stretch = window.indices.map { window[$0] * Double(signal[start + $0]) }
      return FourierTransform.magnitudes(stretch).map { $0 * $0 }
    }
  }

  /// Returns the log-spectral distance: the mean over all windows of the RMS difference of the
  /// bins' levels, down to 50 dB below the loudest.
  private static func distance(_ signal: ArraySlice<Float>, _ reference: ArraySlice<Float>)
    -> Double
  {
    let (ours, theirs) = (powers(signal), powers(reference))
    let least = 1e-5 * (theirs.joined().max() ?? 1)
    let distances = zip(ours, theirs).map { ours, theirs -> Double in
      let squares = zip(ours, theirs).map { pow(10 * log10(max($0, least) / max($1, least)), 2) }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    return distances.reduce(0, +) / Double(distances.count)
  }

  /// Returns the mean kurtosis of bins from 100 Hz to 19 kHz.
  private static func kurtosis(_ signal: ArraySlice<Float>) -> Double {
    let windows = powers(signal)
    let count = Double(windows.count)
    let kurtoses = (3..<400).map { bin -> Double in
      let mean = windows.reduce(0) { $0 + $1[bin] } / count
      return windows.reduce(0) { $0 + $1[bin] * $1[bin] } / count / (mean * mean)
    }
    return kurtoses.reduce(0, +) / Double(kurtoses.count)
  }
}
