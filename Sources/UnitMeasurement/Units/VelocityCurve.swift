import Foundation

extension MeasuredUnit {
  static let velocityCurve = MeasuredUnit(
    "aumi/velo/bkln",
    figures: [
      // minimum + (maximum - minimum) x^g, g = 2^(-curve/50)
      Figure("Largest difference of a velocity from the formula", in: "", .atMost(0.5001)) { unit in
        try [-100.0, -30, 30, 100].flatMap { curve in
          try [(1.0, 127.0), (40, 90), (120, 10)].flatMap { low, high -> [Double] in
            let host = try unit.host([
              "curve": Float(curve), "minimum": Float(low), "maximum": Float(high),
            ])
            return sent(by: host).enumerated().map { index, velocity in
              let force = pow(Double(index) / 126, pow(2, -curve / 50))
              return abs(velocity - low - (high - low) * force)
            }
          }
        }.worst
      },
      Figure("Largest change of a velocity at a curve of 0 %", in: "", .atMost(0)) { unit in
        sent(by: try unit.host()).enumerated().map { abs($1 - Double($0 + 1)) }.worst
      },
    ]
  ) { unit in
    Plot(
      "Velocity sent over velocity played, by curve",
      x: Plot.Axis("Played", 0...128, step: 16), y: Plot.Axis("Sent", 0...128, step: 16),
      try ([-100, -40, 0, 40, 100] as [Float]).map { curve in
        let host = try unit.host(["curve": curve])
        return Plot.Curve(
          "\(Int(curve)) %",
          sent(by: host).enumerated().filter { $0.offset % 3 == 0 }.map {
            Plot.Point(Double($0.offset + 1), $0.element)
          })
      })
  }

  /// Returns the velocities that are sent for 1 to 127.
  private static func sent(by host: UnitHost) -> [Double] {
    (1...127).map { Double(host.note(for: 60, velocity: $0)?.velocity ?? 0) }
  }
}
