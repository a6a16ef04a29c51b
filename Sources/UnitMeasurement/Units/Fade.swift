import Foundation

extension MeasuredUnit {
  static let fade = MeasuredUnit(
    "auol/fade/bkln", material: nil,
    figures: ["Linear", "Equal Power", "S-Curve", "Exponential"].enumerated().map { curve, name in
      Figure(
        "Gain of \(name), in and out: worst difference from the formula",
        in: "millionths of full scale", .atMost(1)
      ) { unit in
        let host = try unit.host([
          "in": 0.05, "out": 0.1, "in_curve": Float(curve), "out_curve": Float(curve),
        ])
        let output = host.renderOffline([Signals.constant(1, frames: 9600)])[0]
        guard output.count == 9600, output[0] == 0, output[9599] == 0 else { return .infinity }
        return 1e6
          * Deviation.worst(of: output) { frame in
            formula(curve, Double(frame) / 2400) * formula(curve, Double(9599 - frame) / 4800)
          }
      }
    }
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

  /// Returns the gain after a part of a fade's time.
  private static func formula(_ curve: Int, _ part: Double) -> Double {
    let share = min(1, part)
    return switch curve {
    case 0: share
    case 1: sin(.pi / 2 * share)
    case 2: (1 - cos(.pi * share)) / 2
    default: (pow(10, 3 * share) - 1) / 999
    }
  }
}
