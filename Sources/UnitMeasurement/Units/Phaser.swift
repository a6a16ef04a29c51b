import Foundation

extension MeasuredUnit {
  static let phaser = MeasuredUnit(
    "aufx/phas/bkln",
    figures: [
      Figure("Lower notch of four stages around 800 Hz", in: "dB", .atMost(-60)) { unit in
        let notch = atan(tan(Double.pi * 800 / 48_000) * tan(Double.pi / 8)) / Double.pi * 48_000
        return try still(unit, stages: 1, feedback: 0).gain(at: notch)
      },
      Figure("Gain by stages and feedback: farthest from the formula", in: "", .atMost(2e-4)) {
        unit in
        // x + A / (1 - feedback · A), each with √½, where A is a chain of (1 - s) / (1 + s).
        let settings: [(Float, Int, Double)] = [
          (0, 2, 0), (1, 4, 0.7), (2, 6, -0.4), (3, 8, 0.5), (4, 12, -0.8),
        ]
        return try settings.map { choice, stages, feedback in
          let response = try still(
            unit, stages: choice, feedback: Float(feedback * 100), frames: 20_000)
          return [30.0, 200, 700, 1500, 6000, 18_000].map { frequency in
            let s = Phasor(0, tan(.pi * frequency / 48_000) / tan(.pi * 800 / 48_000))
            var chain = Phasor(1)
            for _ in 0..<stages { chain = chain * (Phasor(1) - s) / (Phasor(1) + s) }
            let expected = Phasor(1) + chain / (Phasor(1) - Phasor(feedback) * chain)
            let measured = Level.amplitude(response.gain(at: frequency))
            return abs(measured - expected.magnitude * 0.5.squareRoot())
          }.worst
        }.worst
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
    _ unit: BuiltInUnit, stages: Float, feedback: Float, frames: Int = 8192
  ) throws -> FrequencyResponse {
    FrequencyResponse(
      try unit.host(["depth": 0, "center": 800, "stages": stages, "feedback": feedback]),
      frames: frames)
  }
}
