extension MeasuredUnit {
  static let gain = MeasuredUnit(
    "aufx/gain/bkln",
    figures: [
      Figure("Gain at -6 dB", in: "dB", .near(-6, within: 0.001)) { try gain(of: $0, at: -6) },
      Figure("Largest difference at 0 dB", in: "", .atMost(0)) { unit in
        let noise = Signals.noise(frames: 4800)
        let output = try unit.host(["gain": 0]).play(noise)
        return Double(zip(noise, output).map { abs($0 - $1) }.max() ?? 1)
      },
    ]
  ) { unit in
    Plot(
      "Gain over the parameter; silence at -96 dB",
      x: Plot.Axis("Parameter gain (dB)", -96...24, step: 12), y: .decibels(-120...24, step: 24),
      [
        Plot.Curve(
          "Gain",
          try stride(from: -96.0, through: 24, by: 1).map {
            Plot.Point($0, try gain(of: unit, at: Float($0)))
          })
      ])
  }

  private static func gain(of unit: BuiltInUnit, at decibels: Float) throws -> Double {
    Level.peak(try unit.host(["gain": decibels]).play(Signals.constant(1, frames: 1)))
  }
}
