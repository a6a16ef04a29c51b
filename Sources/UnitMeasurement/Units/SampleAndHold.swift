extension MeasuredUnit {
  static let sampleAndHold = MeasuredUnit(
    "aufx/shld/bkln", material: nil,
    figures: [
      Figure("Largest error of held values at 50 Hz", in: "", .atMost(0)) { unit in
        let noise = Signals.noise(frames: 48_000)
        let output = try unit.host(["rate": 50]).play(noise)
        return output.indices.map { Double(abs(output[$0] - noise[$0 / 960 * 960])) }.max() ?? 1
      },
      Figure("Slew of 50 ms: time to the value", in: "ms", .near(50, within: 0.05)) { unit in
        let host = try unit.host(["rate": 1, "slew": 50])
        let output = host.play(Signals.constant(0.5, frames: 9600))
        return Double(output.firstIndex { $0 == 0.5 } ?? 0) / 48
      },
    ]
  ) { unit in
    let sine = Signals.sine(frequency: 1, frames: 72_000)
    return Plot(
      "Output for a sine of 1 Hz, rate 8 Hz, by slew", x: .seconds(1.5, step: 0.25),
      y: Plot.Axis("Output", -1...1, step: 0.5),
      try ([0, 60, 125] as [Float]).map { slew in
        let host = try unit.host(["rate": 8, "slew": slew])
        return Plot.Curve("\(Int(slew)) ms", Plot.Point.over(host.play(sine)))
      })
  }
}
