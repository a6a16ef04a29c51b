extension MeasuredUnit {
  static let flanger = MeasuredUnit(
    "aufx/flng/bkln",
    figures: [
      // An equal mix has notches at (2k + 1) / 2τ.
      Figure(
        "Gain of notches of 2.5 ms, 44.1 and 96 kHz, beside the peaks", in: "dB", .atMost(-60)
      ) { unit in
        let levels = try combs(of: unit).flatMap { comb -> [Double] in
          notches.map { comb.gain(at: $0) - 3.0103 }
        }
        return levels.max() ?? 0
      },
      Figure(
        "Gain 100 and 200 Hz above a notch: worst difference from the comb's", in: "dB",
        .atMost(0.01)
      ) { unit in
        let errors = try combs(of: unit).flatMap { comb -> [Double] in
          notches.flatMap { [comb.gain(at: $0 + 100), comb.gain(at: $0 + 200) - 3.0103] }
        }
        return Deviation.worst(errors)
      },
      Figure(
        "Peak gain at 50, -90 and 99 % of feedback: worst difference from 1 / (1 - |g|)", in: "dB",
        .atMost(0.1)
      ) { unit in
        let errors = try ([50, -90, 99] as [Float]).flatMap { feedback -> [Double] in
          let response = try still(unit, delay: 1, feedback: feedback, mix: 100, frames: 60_000)
          let expected = -Level.decibels(1 - Double(abs(feedback)) / 100)
          return [1.0, 5, 12].map { peak in
            response.gain(at: feedback > 0 ? 1000 * peak : 1000 * peak - 500) - expected
          }
        }
        return Deviation.worst(errors)
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

  private static let notches = [0.0, 3, 10, 30].map { (2 * $0 + 1) / 2 / 0.0025 }

  private static func combs(of unit: BuiltInUnit) throws -> [FrequencyResponse] {
    try [44_100, 96_000].map {
      try still(unit, sampleRate: $0, delay: 2.5, feedback: 0, frames: 1000)
    }
  }

  private static func still(
    _ unit: BuiltInUnit, sampleRate: Double = 48_000, delay: Float, feedback: Float,
    mix: Float = 50, frames: Int = 16_384
  ) throws -> FrequencyResponse {
    FrequencyResponse(
      try unit.host(
        sampleRate: sampleRate, ["depth": 0, "delay": delay, "feedback": feedback, "mix": mix]),
      frames: frames)
  }
}
