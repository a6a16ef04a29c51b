extension MeasuredUnit {
  static let tremolo = MeasuredUnit(
    "aufx/tmlo/bkln", presetMaterial: ["Defaults": nil],
    figures: [
      Figure("Lowest gain at 50 % depth", in: "dB", .near(-6.02, within: 0.01)) { unit in
        let levels = try unit.host(["depth": 50, "rate": 10]).play(
          Signals.constant(1, frames: 9600))
        return Level.decibels(Double(levels.min() ?? 0))
      },
      Figure("Error of a rate of 5 Hz", in: "%", .near(0, within: 0.1)) { unit in
        let levels = try unit.host(["depth": 100, "rate": 5]).play(
          Signals.constant(1, frames: 48_000))
        let middle = zip(levels, levels.dropFirst()).enumerated()
          .filter { $0.element.0 > 0.5 && $0.element.1 <= 0.5 }.map(\.offset)
        let period = Double(middle[4] - middle[0]) / 4
        return (9600 / period - 1) * 100
      },
      Figure("Sidebands of a square at 20 Hz beyond 1 kHz", in: "dBc", .atMost(-80)) { unit in
        let output = try unit.host(["depth": 100, "rate": 20, "shape": 2]).play(
          Signals.sine(frequency: 1000, frames: 33_000))
        let spectrum = LineSpectrum(output)
        return spectrum.peak(from: 2000, to: 20_000) - spectrum.level(at: 1000)
      },
    ]
  ) { unit in
    Plot(
      "Gain over time, rate 5 Hz, depth 80 %, by shape", x: .seconds(0.5, step: 0.1),
      y: Plot.Axis("Gain", 0...1, step: 0.2),
      try ["sine", "triangle", "square"].enumerated().map { index, name in
        let host = try unit.host(["depth": 80, "rate": 5, "shape": Float(index)])
        return Plot.Curve(
          name, Plot.Point.over(host.play(Signals.constant(1, frames: 24_000))))
      })
  }
}
