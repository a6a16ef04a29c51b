import Foundation

extension MeasuredUnit {
  static let analogueFilter = MeasuredUnit(
    "aufx/filt/bkln", presetMaterial: ["Defaults": nil, "Squelch Bass": .bass],
    figures: [
      Figure(
        "Gain of soft sound, eight modes, three settings: farthest from the formula", in: "dB",
        .atMost(0.1)
      ) { unit in
        let settings: [(Double, Double)] = [(200, 0), (1000, 80), (8000, 50)]
        var errors: [Double] = []
        for (cutoff, resonance) in settings {
          for mode in 0..<8 {
            errors += try gainErrors(of: unit, mode: mode, cutoff: cutoff, resonance: resonance)
          }
        }
        return Deviation.worst(errors)
      },
      Figure(
        "Worst alias of sines at 1246 and 4985 Hz and -12 dB with 24 and 36 dB of drive",
        in: "dBc", .atMost(-90)
      ) { unit in
        var worst = -Double.infinity
        for frequency in [1246.25, 4985] {
          let sine = Signals.sine(frequency: frequency, amplitude: 0.25, frames: 24_576)
          for drive: Float in [24, 36] {
            let host = try unit.host(["mode": 4, "cutoff": 10, "drive": drive])
            worst = max(worst, LineSpectrum(host.play(sine)).worstAlias(of: frequency))
          }
        }
        return worst
      },
      detuning("ladder", mode: 3), detuning("band-pass", mode: 5),
    ]
  ) { unit in
    let impulse = Signals.impulse(frames: 16_384).map { 0.01 * $0 }
    return Plot(
      "Gain of the ladder, cutoff at 1 kHz, by resonance, and of the other modes", x: .frequency,
      y: .decibels(-60...36, step: 12),
      try
        ([
          ("LP 24", 3, 0), ("70 %", 3, 70), ("90 %", 3, 90), ("High Pass 70 %", 4, 70),
          ("Band Pass 70 %", 5, 70), ("Notch", 6, 0),
        ] as [(String, Float, Float)]).map { name, mode, resonance in
          let host = try unit.host(["cutoff": 1000, "mode": mode, "resonance": resonance])
          let points = FrequencyResponse(of: host.play(impulse)).curve()
          return Plot.Curve(name, points.map { Plot.Point($0.x, $0.y + 40) })
        })
  }

  /// Measures the detuning of self-oscillations, started by a click, by their phase drift.
  private static func detuning(_ name: String, mode: Float) -> Figure {
    Figure(
      "Detuning of the \(name)'s self-oscillation at 50, 200, 1000 and 5000 Hz: worst",
      in: "cents", .atMost(0.1)
    ) { unit in
      let errors = try [50.0, 200, 1000, 5000].map { cutoff -> Double in
        let host = try unit.host(["mode": mode, "cutoff": Float(cutoff), "resonance": 100])
        // At 50 Hz the oscillation grows for two seconds.
        let (start, frames) = (max(24_000, Int(4_800_000 / cutoff)), 9600)
        let sound = host.play(Signals.impulse(amplitude: 0.5, frames: start + 2 * frames))
        let first = Spectrum.transform(Array(sound[start..<start + frames]), at: cutoff)
        let second = Spectrum.transform(Array(sound.suffix(frames)), at: cutoff)
        let isHeard = first.magnitude / Double(frames / 2) > 0.2
        let drift = (second / first).phase / (2 * .pi) / 0.2
        return isHeard ? 1200 * log2(1 + drift / cutoff) : .infinity
      }
      return Deviation.worst(errors)
    }
  }

  /// Returns the differences of a soft sound's gain from the formula at six frequencies, dB.
  private static func gainErrors(
    of unit: BuiltInUnit, mode: Int, cutoff: Double, resonance: Double
  ) throws -> [Double] {
    let host = try unit.host([
      "mode": Float(mode), "cutoff": Float(cutoff), "resonance": Float(resonance),
    ])
    let impulse = Signals.impulse(amplitude: 1e-3, frames: 8192)
    let measured = FrequencyResponse(of: host.play(impulse))
    let frequencies = [60, cutoff / 2, cutoff * 0.9, cutoff * 1.2, 5000, 15_000]
    return frequencies.compactMap { frequency -> Double? in
      let expected = response(mode: mode, at: frequency / cutoff, resonance: resonance).magnitude
      guard expected > 0.1 else { return nil }
      return measured.gain(at: frequency) + 60 - Level.decibels(expected)
    }
  }

  private static func response(mode: Int, at ratio: Double, resonance: Double) -> Phasor {
    guard mode >= 4 else {
      return ResonantFilter.ladder(poles: mode + 1, at: ratio, resonance: resonance)
    }
    let (s, one) = (Phasor(0, ratio), Phasor(1))
    let top = [s * s, s + s, s * s + one, s * s + s + s + one][mode - 4]
    return top / ResonantFilter.poles(at: ratio, resonance: resonance)
  }
}
