import Foundation

extension MeasuredUnit {
  static let analogueFilter = MeasuredUnit(
    "aufx/filt/bkln", presetMaterial: ["Defaults": nil, "Squelch Bass": .bass],
    figures: [
      Figure(
        "Gain of the ladder at its cutoff of 8 kHz", in: "dB", .near(-12.04, within: 0.1)
      ) { unit in
        let host = try unit.host(["cutoff": 8000])
        let impulse = Signals.impulse(frames: 8192).map { 0.01 * $0 }
        return FrequencyResponse(of: host.play(impulse)).gain(at: 8000) + 40
      },
      Figure(
        "Worst alias of a sine at 4978 Hz and -12 dB with 24 dB of drive", in: "dBc", .atMost(-90)
      ) { unit in
        let host = try unit.host(["mode": 4, "cutoff": 10, "drive": 24])
        let sine = Signals.sine(frequency: 4978, amplitude: 0.25, frames: 24_576)
        return LineSpectrum(host.play(sine)).worstAlias(of: 4978)
      },
      detuning(at: 50), detuning(at: 5000),
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

  /// Measures the detuning of a self-oscillation by its phase drift over half a second.
  private static func detuning(at cutoff: Double) -> Figure {
    Figure(
      "Detuning of a self-oscillation at \(Int(cutoff)) Hz", in: "cents", .near(0, within: 3)
    ) { unit in
      let host = try unit.host(["cutoff": Float(cutoff), "resonance": 100])
      let sound = host.play(Signals.impulse(amplitude: 0.5, frames: 144_000))
      let first = Spectrum.transform([Float](sound[96_000..<120_000]), at: cutoff)
      let second = Spectrum.transform([Float](sound[120_000..<144_000]), at: cutoff)
      return 1200 * log2(1 + (second / first).phase / (2 * .pi) / 0.5 / cutoff)
    }
  }
}
