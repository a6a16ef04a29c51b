import Foundation

extension MeasuredUnit {
  static let envelope = MeasuredUnit(
    "augn/envl/bkln", material: nil,
    figures: [
      Figure("Attack of 100 ms: time to the peak", in: "ms", .near(100, within: 0.05)) { unit in
        let output = try played(unit, ["attack": 0.1])
        return Double(output.firstIndex { $0 == output.max() } ?? 0) / 48
      },
      Figure("Error of a decay's half, curve 100 %", in: "millionths", .atMost(10)) { unit in
        let output = try played(unit, ["attack": 0.1, "decay": 0.2, "sustain": 0, "curve": 100])
        let expected = (exp2(-5.0) - exp2(-10)) / (1 - exp2(-10))
        return abs(Double(output[4800 + 4800]) - expected) * 1e6
      },
    ]
  ) { unit in
    Plot(
      "A key held for 1 s, by curve", x: .seconds(2, step: 0.25),
      y: Plot.Axis("Output", 0...1, step: 0.2),
      try ([-60, 0, 50, 100] as [Float]).map { curve in
        let output = try played(
          unit,
          ["attack": 0.3, "hold": 0.1, "decay": 0.4, "sustain": 50, "release": 0.6, "curve": curve])
        return Plot.Curve("\(Int(curve)) %", Plot.Point.over(output))
      })
  }

  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [Float] {
    try unit.host(parameters).render(
      frames: 96_000, events: [.midi([0x90, 60, 127], at: 0), .midi([0x80, 60, 0], at: 48_000)])[0]
  }
}
