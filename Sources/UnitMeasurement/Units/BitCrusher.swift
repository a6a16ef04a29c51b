import Foundation

extension MeasuredUnit {
  static let bitCrusher = MeasuredUnit(
    "aufx/crsh/bkln", presetMaterial: ["Drum Dust": .drums, "Talking Toy": .voice],
    figures: [
      // The nearest of 2^bits levels, none above the highest.
      Figure(
        "Levels of 1, 3, 8, 12 and 16 bits: farthest from the quantiser's", in: "",
        .near(0, within: 0)
      ) { unit in
        let noise = Signals.noise(frames: 3000)
        return Deviation.worst(
          try [1, 3, 8, 12, 16].map { bits -> Double in
            let levels = pow(2, Double(bits - 1))
            let output = try unit.host(["bits": Float(bits), "rate": 48_000]).play(noise)
            return Deviation.worst(of: output) { frame in
              let nearest = (Double(noise[frame]) * levels).rounded(.toNearestOrEven)
              return Double(Float(min(max(nearest, -levels), levels - 1) / levels))
            }
          })
      }
    ]
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
}
