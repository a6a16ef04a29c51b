import Foundation

extension MeasuredUnit {
  static let wah = MeasuredUnit(
    "aufx/wahh/bkln", presetMaterial: ["Bass Pedal": .bass],
    figures: [
      // The resonance is at heel · (toe / heel)^pedal, and -3 dB at ±(√(1 + 1/4Q²) ∓ 1/2Q) of it.
      Figure("Worst gain at the resonance, 420 to 2200 Hz, Q 1 to 8", in: "dB", .atMost(0.01)) {
        unit in
        try settings.map { abs(try level(unit, pedal: $0, q: $1, at: 1)) }.worst
      },
      Figure("Worst gain at the resonance's edges, beside -3.01 dB", in: "dB", .atMost(0.02)) {
        unit in
        try settings.flatMap { pedal, q in
          let side = (1 + 1 / (4 * q * q)).squareRoot() - 1 / (2 * q)
          return try [side, 1 / side].map {
            abs(try level(unit, pedal: pedal, q: q, at: $0) + 3.0103)
          }
        }.worst
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
        Plot.Curve("\(Int(pedal)) %", try response(unit, pedal: pedal, q: 4).curve())
      })
  }

  /// The pedal, %, and the Q.
  private static let settings: [(Float, Double)] = [(0, 4), (25, 1), (50, 8), (100, 4)]

  private static func response(
    _ unit: BuiltInUnit, pedal: Float, q: Double
  ) throws -> FrequencyResponse {
    FrequencyResponse(
      try unit.host(["pedal": pedal, "heel": 420, "toe": 2200, "q": Float(q), "level": 0]),
      frames: 9600)
  }

  /// Returns the gain at a part of the resonance's frequency, by the bilinear transform, dB.
  private static func level(
    _ unit: BuiltInUnit, pedal: Float, q: Double, at part: Double
  ) throws -> Double {
    let centre = 420 * pow(2200 / 420.0, Double(pedal) / 100)
    let frequency = atan(tan(.pi * centre / 48_000) * part) / .pi * 48_000
    return try response(unit, pedal: pedal, q: q).gain(at: frequency)
  }
}
