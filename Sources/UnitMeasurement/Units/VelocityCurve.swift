import Foundation

extension MeasuredUnit {
  static let velocityCurve = MeasuredUnit(
    "aumi/velo/bkln",
    figures: [
      Figure("Velocity 32 at a curve of 100 %", in: "", .near(89.7, within: 0.5)) { unit in
        Double(try unit.host(["curve": 100]).note(for: 60, velocity: 32)?.velocity ?? 0)
      },
      Figure("Largest change at a curve of 0 %", in: "", .atMost(0)) { unit in
        let host = try unit.host()
        let changes = (1...127).map { velocity in
          abs(Int(host.note(for: 60, velocity: UInt8(velocity))?.velocity ?? 0) - velocity)
        }
        return Double(changes.max() ?? 127)
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
          stride(from: 1, through: 127, by: 3).map { velocity in
            Plot.Point(
              Double(velocity),
              Double(host.note(for: 60, velocity: UInt8(velocity))?.velocity ?? 0))
          })
      })
  }
}
