import Foundation

extension MeasuredUnit {
  static let bitCrusher = MeasuredUnit(
    "aufx/crsh/bkln", presetMaterial: ["Drum Dust": .drums, "Talking Toy": .voice],
    figures: [8, 12, 16].map { bits in
      let expected = 6.0206 * Double(bits) + 1.76
      return Figure(
        "Signal to noise of a full sine, \(bits) bits", in: "dB",
        .near(expected, within: 0.3)
      ) { unit in
        let sine = Signals.sine(
          frequency: 997.13, amplitude: 1 - pow(2, 1 - Double(bits)), frames: 24_000)
        let output = try unit.host(["bits": Float(bits), "rate": 48_000]).play(sine)
        let noise = zip(output, sine).map { Double($0) - Double($1) }
        return power(sine.map(Double.init)) - power(noise)
      }
    }
  ) { unit in
    Plot(
      "Sample out over sample in, by bits", x: Plot.Axis("Input", -1...1, step: 0.5),
      y: Plot.Axis("Output", -1...1, step: 0.5),
      try [(2, 0), (4, 0), (4, 1)].map { bits, scale in
        let steps = Array(stride(from: Float(-1), through: 1, by: 0.01))
        let host = try unit.host(["bits": Float(bits), "rate": 48_000, "scale": Float(scale)])
        return Plot.Curve(
          scale == 0 ? "\(bits) bits" : "\(bits) bits, mu-law",
          zip(steps, host.play(steps)).map { Plot.Point(Double($0), Double($1)) })
      })
  }

  /// Returns the mean square, dB.
  private static func power(_ samples: [Double]) -> Double {
    10 * log10(samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count))
  }
}
