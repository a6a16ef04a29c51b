import Foundation

extension MeasuredUnit {
  static let phaser = MeasuredUnit(
    "aufx/phas/bkln",
    figures: [
      Figure("Lower notch of four stages around 800 Hz", in: "dB", .atMost(-60)) { unit in
        let notch = atan(tan(Double.pi * 800 / 48_000) * tan(Double.pi / 8)) / Double.pi * 48_000
        return try still(unit, stages: 1, feedback: 0).gain(at: notch)
      },
      Figure("Gain at 20 Hz, 70 % of feedback", in: "dB", .near(8.525, within: 0.1)) { unit in
        try still(unit, stages: 1, feedback: 70).gain(at: 20)
      },
      Figure("Center from 800 to 3000 Hz in 20 ms, 1 kHz: beyond 1 kHz", in: "dBc", .atMost(-100)) {
        unit in
        try unit.host(["depth": 0, "center": 800, "stages": 1]).spur(moving: "center", to: 3000)
      },
    ]
  ) { unit in
    Plot(
      "Response while it stands at 800 Hz, by stages", x: .frequency,
      y: .decibels(-40...10, step: 10, "Gain"),
      try [("4", 1), ("8", 3), ("Vibe", 5)].map { name, stages in
        Plot.Curve(name, try still(unit, stages: stages, feedback: 0).curve(points: 241))
      })
  }

  private static func still(
    _ unit: BuiltInUnit, stages: Float, feedback: Float
  ) throws -> FrequencyResponse {
    FrequencyResponse(
      try unit.host(["depth": 0, "center": 800, "stages": stages, "feedback": feedback]))
  }
}
