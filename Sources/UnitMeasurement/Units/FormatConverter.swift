import Foundation

extension MeasuredUnit {
  static let formatConverter = MeasuredUnit(
    "aufc/chan/bkln", presetMaterial: ["Encode M/S": nil, "Decode M/S": nil],
    figures: [
      Figure("Equal sound on 5.1 to stereo", in: "dB", .near(7.656, within: 0.01)) { unit in
        try level(of: unit, (0..<6).map { _ in Signals.noise(frames: 48_000) })
      },
      Figure("Unrelated sound on 5.1 to stereo", in: "dB", .near(3.0103, within: 0.1)) { unit in
        try level(of: unit, (0..<6).map { Signals.noise(frames: 48_000, seed: UInt64($0 + 1)) })
      },
      Figure("Gain of the centre in the down-mix", in: "dB", .near(-3.0103, within: 0.0001)) {
        unit in
        let silence = Signals.constant(0, frames: 10)
        var channels = Array(repeating: silence, count: 6)
        channels[2][0] = 1
        return Level.decibels(Double(try down(unit, channels)[0][0]))
      },
    ]
  ) { unit in
    Plot(
      "Down-mix of 5.1 to stereo: the same tone on the left and on the centre, by the centre's level",
      x: Plot.Axis("Centre (dB)", -40...0, step: 10),
      y: .decibels(-6...6, step: 2, "Left output"),
      try [("As it is", Float(0)), ("Normalised", 1)].map { name, normalise in
        Plot.Curve(
          name,
          try stride(from: -40, through: 0, by: 2).map { level in
            let channels: [[Float]] = [[1], [0], [1], [0], [0], [0]]
            let gain = try down(
              unit, channels, ["centre": Float(level), "surround": -96, "normalise": normalise])
            return Plot.Point(Double(level), Level.decibels(Double(gain[0][0])))
          })
      })
  }

  private static func down(
    _ unit: BuiltInUnit, _ channels: [[Float]], _ parameters: [String: Float] = [:]
  ) throws -> [[Float]] {
    try UnitHost(
      unit.descriptor, inputChannels: [channels.count], outputChannels: [2], parameters: parameters
    ).play(channels)
  }

  /// Returns the left output's level relative to the left input's, dB.
  private static func level(of unit: BuiltInUnit, _ channels: [[Float]]) throws -> Double {
    func energy(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1 * $1) } }
    return 10 * log10(energy(try down(unit, channels)[0]) / energy(channels[0]))
  }
}
