import Foundation

extension MeasuredUnit {
  private static let panLaws = ["-3 dB", "-2.5 dB", "-4.5 dB", "-6 dB", "0 dB"]

  static let panner = MeasuredUnit(
    "aupn/panr/bkln", material: nil,
    figures: zip(panLaws, [-3.0103, -2.5, -4.5154, -6.0206, 0]).enumerated().map { index, law in
      Figure("Gain in the middle, law \(law.0)", in: "dB", .near(law.1, within: 0.0002)) { unit in
        try right(of: unit, ["law": Float(index)])
      }
    }
  ) { unit in
    Plot(
      "Gain of the right side for a mono sound, by pan law", x: Plot.Axis("Pan", -1...1, step: 0.5),
      y: .decibels(-30...6, step: 6),
      try panLaws.enumerated().map { index, name in
        Plot.Curve(
          name,
          try stride(from: -0.95, through: 1, by: 0.05).map { pan in
            Plot.Point(pan, try right(of: unit, ["law": Float(index), "pan": Float(pan)]))
          })
      })
  }

  /// Returns the right side's level for a sound on both inputs at half its amplitude, dB.
  private static func right(of unit: BuiltInUnit, _ parameters: [String: Float]) throws -> Double {
    let host = try unit.host(channels: 2, parameters.merging(["spread": 0]) { $1 })
    return Level.decibels(Double(host.play([[0.5], [0.5]])[1][0]))
  }
}
