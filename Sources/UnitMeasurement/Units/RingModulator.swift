extension MeasuredUnit {
  static let ringModulator = MeasuredUnit(
    "aufx/ring/bkln", material: .voice, presetMaterial: ["Defaults": nil],
    figures: [
      Figure("Sidebands of 1 kHz times a sine of 300 Hz", in: "dB", .near(-6.02, within: 0.01)) {
        unit in
        let output = try played(unit, waveform: 1).suffix(9600)
        return Level.decibels(
          SineFit(output, frequency: 1300, sampleRate: 48_000).amplitude)
      },
      Figure("What is left of the 1 kHz", in: "dB", .atMost(-100)) { unit in
        let output = try played(unit, waveform: 1).suffix(9600)
        return Level.decibels(
          SineFit(output, frequency: 1000, sampleRate: 48_000).amplitude)
      },
      Figure("Highest alias of |sin| at 4990 Hz", in: "dBc", .atMost(-90)) { unit in
        let factors = try unit.host(["frequency": 4990, "waveform": 0]).play(
          Signals.constant(1, frames: 20_000))
        return LineSpectrum(factors).worstAlias(of: 9980)
      },
    ]
  ) { unit in
    Plot(
      "Spectrum of a 1 kHz sine at a frequency of 300 Hz, by waveform", x: .frequency,
      y: .decibels(-80...0, step: 20, "Level"),
      [
        Plot.Curve("|sin|", LineSpectrum(try played(unit, waveform: 0)).curve()),
        Plot.Curve("sine", LineSpectrum(try played(unit, waveform: 1)).curve()),
      ])
  }

  private static func played(_ unit: BuiltInUnit, waveform: Float) throws -> [Float] {
    try unit.host(["frequency": 300, "waveform": waveform]).play(
      Signals.sine(frequency: 1000, frames: 16_384))
  }
}
