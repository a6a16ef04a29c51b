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
      Figure("Highest alias of |sin| at 440, 2500 and 4990 Hz", in: "dBc", .atMost(-90)) { unit in
        try frequencies.map {
          LineSpectrum(try magnitude(unit, frequency: $0, frames: 20_000)).worstAlias(of: 2 * $0)
        }.max() ?? .nan
      },
      // |sin| is 2/π less cosines of 4/π / (4k² - 1) at 2k times its frequency.
      Figure("Worst harmonic of |sin| beside Fourier's, to 15 kHz", in: "%", .atMost(1)) { unit in
        try frequencies.flatMap { frequency -> [Double] in
          let factors = try magnitude(unit, frequency: frequency, frames: 9600).suffix(4800)
          return stride(from: 1.0, to: 15_000 / frequency / 2, by: 1).map { k in
            let measured = Spectrum.amplitude([Float](factors), at: 2 * k * frequency)
            return 100 * abs(measured * .pi / 4 * (4 * k * k - 1) - 1)
          }
        }.worst
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

  private static let frequencies = [440.0, 2500, 4990]

  /// Returns |sin| as the unit's factors.
  private static func magnitude(
    _ unit: BuiltInUnit, frequency: Double, frames: Int
  ) throws -> [Float] {
    try unit.host(["frequency": Float(frequency), "waveform": 0]).play(
      Signals.constant(1, frames: frames))
  }

  private static func played(_ unit: BuiltInUnit, waveform: Float) throws -> [Float] {
    try unit.host(["frequency": 300, "waveform": waveform]).play(
      Signals.sine(frequency: 1000, frames: 16_384))
  }
}
