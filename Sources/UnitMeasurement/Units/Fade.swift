import Foundation

extension MeasuredUnit {
  static let fade = MeasuredUnit(
    "auol/fade/bkln", material: nil,
    figures: [
      ("Linear", 0, -6.0206), ("Equal Power", 1, -3.0103), ("S-Curve", 2, -6.0206),
      ("Exponential", 3, -30.272),
    ].map { name, curve, expected in
      Figure("\(name): gain in the middle", in: "dB", .near(expected, within: 0.01)) { unit in
        Level.decibels(Double(try gains(unit, curve: curve)[4800]))
      }
    } + [
      Figure("Last frame", in: "", .near(0, within: 0)) { unit in
        Double(
          try unit.host().renderOffline([Signals.constant(1, frames: 96_000)])[0].last ?? 1)
      }
    ]
  ) { unit in
    Plot(
      "Gain of a fade out over 0.2 s, by curve", x: .seconds(0.2, step: 0.05),
      y: Plot.Axis("Gain", 0...1, step: 0.25),
      try ["Linear", "Equal Power", "S-Curve", "Exponential"].enumerated().map { curve, name in
        Plot.Curve(
          name,
          try gains(unit, curve: curve).reversed().enumerated()
            .filter { $0.offset % 96 == 0 }.map {
              Plot.Point(Double($0.offset) / 48_000, Double($0.element))
            })
      })
  }

  /// Returns the gains of a fade-in over 9600 frames.
  private static func gains(_ unit: BuiltInUnit, curve: Int) throws -> [Float] {
    try unit.host(["in": 0.2, "out": 0, "in_curve": Float(curve)])
      .renderOffline([Signals.constant(1, frames: 9601)])[0]
  }
}
