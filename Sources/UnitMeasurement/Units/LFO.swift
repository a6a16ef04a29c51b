extension MeasuredUnit {
  static let lfo = MeasuredUnit(
    "augn/lfom/bkln", material: nil,
    figures: [
      Figure("Error of a rate of 3.1 Hz after 10 s", in: "millionths of a turn", .atMost(1)) {
        unit in
        let output = try unit.host(["shape": 2, "rate": 3.1]).render(frames: 480_001)[0]
        return distance(from: output[480_000], to: Double(Float(3.1)) * 10)
      },
      Figure("Error at beat 10,000.3, quarter triplets", in: "millionths of a turn", .atMost(1)) {
        unit in
        let host = try unit.host(["shape": 2, "sync": 10])
        host.roll(tempo: 97, from: 10_000.3 - 4000 * 97 / (60 * 48_000))
        return distance(from: host.render(frames: 4001)[0][4000], to: 10_000.3 * 1.5)
      },
      Figure("Mean of 2,000 random values", in: "", .near(0, within: 0.04)) { unit in
        let output = try unit.host(["shape": 5, "rate": 50]).render(frames: 1_920_000)[0]
        return output.reduce(0) { $0 + Double($1) } / Double(output.count)
      },
    ]
  ) { unit in
    Plot(
      "Output, rate 2 Hz, by shape", x: .seconds(1.5, step: 0.25),
      y: Plot.Axis("Output", -1...1, step: 0.5),
      try [(0, "Sine"), (2, "Saw Up"), (5, "Sample and Hold"), (6, "Smooth Random")].map {
        shape, name in
        let host = try unit.host(["shape": Float(shape), "rate": 2])
        return Plot.Curve(name, Plot.Point.over(host.render(frames: 72_000)[0]))
      })
  }

  /// Returns the phase difference between a rising saw and a position, millionths of a cycle.
  private static func distance(from value: Float, to position: Double) -> Double {
    let error = (Double(value) + 1) / 2 - position
    return abs(error - error.rounded()) * 1e6
  }
}
