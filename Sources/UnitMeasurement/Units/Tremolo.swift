import Foundation

extension MeasuredUnit {
  static let tremolo = MeasuredUnit(
    "aufx/tmlo/bkln", presetMaterial: ["Defaults": nil],
    figures: [
      Figure("Worst error of a sine at 4 Hz, depth 10, 50 and 100 %", in: "", .atMost(1e-6)) {
        unit in
        try [10.0, 50, 100].map { depth in
          try error(of: unit, ["rate": 4, "depth": Float(depth)]) { seconds in
            1 - depth / 100 * (0.5 - 0.5 * cos(2 * .pi * 4 * seconds))
          }
        }.worst
      },
      Figure("Worst error of a triangle at 5 Hz", in: "", .atMost(1e-6)) { unit in
        try error(of: unit, ["rate": 5, "depth": 100, "shape": 1]) { seconds in
          abs(1 - 2 * (5 * seconds).truncatingRemainder(dividingBy: 1))
        }
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

  /// Returns the largest error of half a second of the factors, beside a function of seconds.
  private static func error(
    of unit: BuiltInUnit, _ parameters: [String: Float], beside expected: (Double) -> Double
  ) throws -> Double {
    try unit.host(parameters).play(Signals.constant(1, frames: 24_000)).enumerated().map {
      abs(Double($1) - expected(Double($0) / 48_000))
    }.worst
  }
}
