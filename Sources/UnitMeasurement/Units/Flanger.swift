extension MeasuredUnit {
  static let flanger = MeasuredUnit(
    "aufx/flng/bkln",
    figures: [
      Figure("Notch at 1400 Hz of a delay of 2.5 ms", in: "dB", .atMost(-60)) { unit in
        try still(unit, delay: 2.5, feedback: 0).gain(at: 1400)
      },
      Figure("Peak at 4 kHz, 90 % of feedback", in: "dB", .near(20, within: 0.1)) { unit in
        try still(unit, delay: 2.5, feedback: 90, mix: 100).gain(at: 4000)
      },
    ]
  ) { unit in
    Plot(
      "Response while it stands, delay 0.5 ms, by feedback", x: .frequency,
      y: .decibels(-40...20, step: 10, "Gain"),
      try ([0, 70, -70] as [Float]).map { feedback in
        Plot.Curve(
          "\(Int(feedback)) %",
          try still(unit, delay: 0.5, feedback: feedback).curve(points: 301))
      })
  }

  private static func still(
    _ unit: BuiltInUnit, delay: Float, feedback: Float, mix: Float = 50
  ) throws -> FrequencyResponse {
    FrequencyResponse(
      try unit.host(["depth": 0, "delay": delay, "feedback": feedback, "mix": mix]), frames: 16_384)
  }
}
