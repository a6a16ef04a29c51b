extension MeasuredUnit {
  static let sampleAndHold = MeasuredUnit(
    "aufx/shld/bkln", material: nil,
    figures: [
      Figure("Largest error of the first channel's held values at 50 Hz", in: "", .atMost(0)) {
        unit in
        let noise = (1...3).map { Signals.noise(frames: 48_000, seed: $0) }
        return try (1...3).flatMap { channels -> [Double] in
          let host = try UnitHost(
            unit.descriptor, inputChannels: [channels], parameters: ["rate": 50])
          let output = host.play(Array(noise.prefix(channels)))[0]
          return output.indices.map { Double(abs(output[$0] - noise[0][$0 / 960 * 960])) }
        }.worst
      },
      Figure("Slew of 10 ms: largest distance from a straight line", in: "", .atMost(1e-5)) {
        unit in
        let noise = Signals.noise(frames: 48_000)
        return try [[512], [1], [17, 480]].flatMap { blocks -> [Double] in
          let output = try unit.host(["rate": 50, "slew": 10]).render(
            inputs: [[noise]], frames: noise.count, blockSizes: blocks)[0]
          return output.indices.map { frame -> Double in
            let from = frame < 960 ? 0 : noise[(frame / 960 - 1) * 960]
            let to = noise[frame / 960 * 960]
            let share = min(Float(frame % 960) / 480, 1)
            return Double(abs(output[frame] - (from + (to - from) * share)))
          }
        }.worst
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
