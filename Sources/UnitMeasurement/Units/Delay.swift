extension MeasuredUnit {
  static let delay = MeasuredUnit(
    "aufx/dely/bkln",
    figures: [
      Figure("First echo of a delay of 100 ms", in: "ms", .near(100, within: 0.01)) { unit in
        let echoes = try unit.host(["time": 0.1, "mix": 100]).impulseResponse(frames: 7200)
        let loudest = echoes.indices.max { abs(echoes[$0]) < abs(echoes[$1]) } ?? 0
        return Double(loudest) / 48
      },
      Figure("From echo to echo at 50 % feedback", in: "dB", .near(-6.02, within: 0.05)) { unit in
        let host = try unit.host(["time": 0.05, "mix": 100, "feedback": 50])
        let echoes = host.impulseResponse(frames: 8400)
        return level(echoes[4600..<5000]) - level(echoes[2200..<2600])
      },
      Figure(
        "15 kHz after 40 echoes of 37.5 ms at 100 % and 44.1 kHz", in: "dB", .near(0, within: 0.001)
      ) { unit in
        let parameters: [String: Float] = [
          "time": 0.0375, "mix": 100, "feedback": 100, "tone": 20_000,
        ]
        let host = try unit.host(sampleRate: 44_100, parameters)
        let echoes = host.impulseResponse(frames: 41 * 1654)
        let last = FrequencyResponse(of: Array(echoes.suffix(1654)), sampleRate: 44_100)
        return last.gain(at: 15_000)
      },
      Figure("Spurs of 13 kHz, modulated by 5 ms at 5 Hz", in: "dBc", .atMost(-90)) { unit in
        let host = try unit.host([
          "time": 0.1, "mix": 100, "feedback": 0, "tone": 20_000, "rate": 5, "depth": 5,
        ])
        let spectrum = LineSpectrum(host.play(Signals.sine(frequency: 13_000, frames: 34_000)))
        return max(spectrum.peak(from: 20, to: 8000), spectrum.peak(from: 18_000, to: 23_900))
      },
      Figure("Spurs as the modulation starts, a head at a quarter", in: "dBc", .atMost(-80)) {
        unit in
        let host = try unit.host([
          "time": 4003 / 48_000, "mix": 100, "feedback": 0, "tone": 20_000, "heads.quarter": 100,
        ])
        return host.spur(moving: "depth", to: 0.5)
      },
      Figure("Echo of a sine at -35 dBFS, ducked by 18 dB", in: "dB", .near(-9, within: 0.2)) {
        unit in
        let host = try unit.host(["time": 0.01, "mix": 100, "feedback": 0, "duck": 18])
        let level: Float = 0.017783
        let echoes = host.play([Float](repeating: level, count: 9600))
        return Level.decibels(Double((echoes.last ?? 0) / level))
      },
      Figure("Frozen line after 80 turns of 50 ms", in: "dB", .near(0, within: 0.1)) { unit in
        let host = try unit.host(["time": 0.05, "mix": 100, "drive": 6, "depth": 0.5])
        let echoes = host.play(
          Signals.noise(frames: 240_000).map { $0 * 0.25 },
          events: [.parameter(host.address("freeze"), 1, at: 24_000)])
        return Level.rms(echoes.suffix(2400)) - Level.rms(echoes[48_000..<50_400])
      },
      Figure("Most gain of an echo, diffusion 50 %", in: "dB", .atMost(0.001)) { unit in
        let host = try unit.host([
          "time": 0.05, "mix": 100, "feedback": 0, "tone": 20_000, "diffusion": 50,
        ])
        let echo = FrequencyResponse(of: host.impulseResponse(frames: 24_000))
        return stride(from: 20.0, to: 20_000, by: 333).map { echo.gain(at: $0) }.max() ?? 0
      },
      Figure("Aliases of a 4.9 kHz sine at 110 %", in: "dBc", .atMost(-90)) { unit in
        let host = try unit.host(["time": 0.01, "mix": 100, "feedback": 110, "tone": 20_000])
        let sine = Signals.sine(frequency: 4900, amplitude: 0.05, frames: 80_000)
        return LineSpectrum(host.play(sine)).worstAlias(of: 4900)
      },
    ]
  ) { unit in
    Plot(
      "Level after an impulse, time 100 ms, by feedback", x: .seconds(1.2, step: 0.2),
      y: .decibels(-80...0, step: 20, "Level of 10 ms"),
      try ([80, 50, 20] as [Float]).map { feedback in
        let host = try unit.host(["time": 0.1, "mix": 100, "feedback": feedback])
        let echoes = host.play([Float](repeating: 0, count: 240) + Signals.impulse(frames: 57_360))
        return Plot.Curve(
          "\(Int(feedback)) %", Plot.Point.levels(of: echoes.map { $0 * 22 }, window: 0.01))
      })
  }

  /// Returns the gain at low frequencies, which the tone filter passes, dB.
  private static func level(_ echo: ArraySlice<Float>) -> Double {
    Level.decibels(Double(echo.reduce(0, +)))
  }
}
