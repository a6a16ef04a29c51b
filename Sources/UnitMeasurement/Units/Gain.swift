extension MeasuredUnit {
  static let gain = MeasuredUnit(
    "aufx/gain/bkln",
    figures: [
      Figure("Gain from -95.9 to 24 dB, farthest from the parameter", in: "dB", .atMost(8.6e-6)) {
        unit in
        let host = try unit.host()
        return stride(from: Float(-95.9), through: 24, by: 0.37).map { decibels -> Double in
          host.set("gain", decibels)
          let output = host.play(Signals.constant(1, frames: 1))
          return Level.gain(from: 1, to: output[0]) - Double(decibels)
        }.worst
      },
      Figure("Largest difference at 0 dB", in: "", .atMost(0)) { unit in
        let noise = [UInt64(1), 2].map { Signals.noise(frames: 4800, seed: $0) }
        let output = try unit.host(channels: 2).play(noise)
        return zip(noise, output).map { Deviation.worst(of: $1, from: $0) }.worst
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
