import Foundation

extension MeasuredUnit {
  /// The pan laws, with the right side's gain at 0 (left) to 1 (right).
  private static let panLaws: [(name: String, gain: @Sendable (Double) -> Double)] = [
    ("-3 dB", { sin($0 * .pi / 2) }),
    ("-2.5 dB", { pow(sin($0 * .pi / 2), 2.5 / (20 * log10(2.0.squareRoot()))) }),
    ("-4.5 dB", { ($0 * sin($0 * .pi / 2)).squareRoot() }),
    ("-6 dB", { $0 }),
    ("0 dB", { min(1, 2 * $0) }),
  ]

  static let panner = MeasuredUnit(
    "aupn/panr/bkln", material: nil,
    figures: panLaws.enumerated().map { index, law in
      Figure("Law \(law.name), farthest gain from its formula", in: "", .atMost(1e-6)) { unit in
        let host = try UnitHost(
          unit.descriptor, inputChannels: [1], outputChannels: [2],
          parameters: ["law": Float(index)])
        return stride(from: Float(-1), through: 1, by: 0.125).map { pan in
          host.set("pan", pan)
          let output = host.render(inputs: [[[1]]], frames: 1).map { Double($0[0]) }
          let share = 0.5 + 0.5 * Double(pan)
          return max(abs(output[0] - law.gain(1 - share)), abs(output[1] - law.gain(share)))
        }.worst
      }
    } + [
      Figure("Stereo without spread in the middle, farthest law", in: "dB", .atMost(0.0002)) {
        unit in
        try panLaws.enumerated().map { index, law in
          abs(try right(of: unit, ["law": Float(index)]) - Level.decibels(law.gain(0.5)))
        }.worst
      }
    ]
  ) { unit in
    Plot(
      "Gain of the right side for a mono sound, by pan law", x: Plot.Axis("Pan", -1...1, step: 0.5),
      y: .decibels(-30...6, step: 6),
      try panLaws.enumerated().map { index, law in
        Plot.Curve(
          law.name,
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
