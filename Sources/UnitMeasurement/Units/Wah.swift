import Foundation

extension MeasuredUnit {
  static let wah = MeasuredUnit(
    "aufx/wahh/bkln", presetMaterial: ["Bass Pedal": .bass],
    figures: [
      Figure("Gain at the middle of the way, 961 Hz", in: "dB", .near(0, within: 0.05)) { unit in
        try response(unit, pedal: 50).gain(at: 420 * (2200 / 420.0).squareRoot())
      },
      Figure("Gain at the lower edge of a Q of 4", in: "dB", .near(-3.01, within: 0.1)) { unit in
        let edge = (1 + 1 / 64.0).squareRoot() - 1 / 8.0
        return try response(unit, pedal: 0).gain(at: 420 * edge)
      },
      Figure("Pedal from heel to toe in 20 ms, 1 kHz: beyond 1 kHz", in: "dBc", .atMost(-100)) {
        unit in
        try unit.host(["pedal": 0]).spur(moving: "pedal", to: 100)
      },
    ]
  ) { unit in
    Plot(
      "Response, Q 4, by pedal", x: .frequency, y: .decibels(-40...10, step: 10, "Gain"),
      try ([0, 50, 100] as [Float]).map { pedal in
        Plot.Curve("\(Int(pedal)) %", try response(unit, pedal: pedal).curve())
      })
  }

  private static func response(_ unit: BuiltInUnit, pedal: Float) throws -> FrequencyResponse {
    FrequencyResponse(
      try unit.host(["pedal": pedal, "heel": 420, "toe": 2200, "q": 4, "level": 0]))
  }
}
