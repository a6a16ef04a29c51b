import Foundation

extension MeasuredUnit {
  static let stereoTools = MeasuredUnit(
    "aufx/ster/bkln", presetMaterial: ["M/S Microphones": nil],
    figures: [
      Figure(
        "Noise by width, angle and balance: largest difference from the formula", in: "",
        .atMost(1e-6)
      ) { unit in
        let settings: [(Double, Double, Double)] = [(100, 30, 0), (30, 0, 0.5), (170, -45, -1)]
        return try settings.map {
          try error(of: unit, width: $0, angle: $1, balance: $2)
        }.worst
      },
      Figure(
        "Largest difference of noise that is encoded and decoded again", in: "dB", .atMost(-140)
      ) { unit in
        let noise = [Signals.noise(frames: 1000, seed: 1), Signals.noise(frames: 1000, seed: 2)]
        let encoded = try unit.host(channels: 2, ["mode": 1]).play(noise)
        let decoded = try unit.host(channels: 2, ["mode": 2]).play(encoded)
        return Level.decibels(zip(noise, decoded).map { Deviation.worst(of: $1, from: $0) }.worst)
      },
      Figure(
        "Gain of the middle with a mono bass: farthest from 0 dB", in: "dB", .near(0, within: 0.01)
      ) { unit in
        let response = try middle(of: unit, ["mono_below": 150])
        let gains = [20, 75, 150, 300, 1000, 10_000].map { response.gain(at: $0) }
        return gains.max { abs($0) < abs($1) } ?? 0
      },
      Figure(
        "Gain of the side at the crossover of a mono bass", in: "dB", .near(-6.02, within: 0.02)
      ) { unit in
        try side(of: unit, ["mono_below": 150]).gain(at: 150)
      },
    ]
  ) { unit in
    Plot(
      "Gain of middle and side, mono below 150 Hz", x: .frequency, y: .decibels(-60...12, step: 12),
      [
        Plot.Curve("middle", try middle(of: unit, ["mono_below": 150]).curve()),
        Plot.Curve("side", try side(of: unit, ["mono_below": 150]).curve()),
      ])
  }

  /// Returns the largest error of noise whose middle and side are scaled by the width, turned by an
  /// angle, and balanced with a cosine.
  private static func error(
    of unit: BuiltInUnit, width: Double, angle: Double, balance: Double
  ) throws -> Double {
    let noise = [Signals.noise(frames: 6000, seed: 1), Signals.noise(frames: 6000, seed: 2)]
    let output = try unit.host(
      channels: 2, ["width": Float(width), "rotate": Float(angle), "balance": Float(balance)]
    ).play(noise)
    let (turn, half) = (angle * .pi / 180, balance * .pi / 2)
    return (0..<6000).flatMap { frame -> [Double] in
      let (left, right) = (Double(noise[0][frame]), Double(noise[1][frame]))
      let (middle, side) = ((left + right) / 2, width / 100 * (left - right) / 2)
      let wide = (middle + side, middle - side)
      let expected = [
        (wide.0 * cos(turn) - wide.1 * sin(turn)) * cos(max(0, half)),
        (wide.0 * sin(turn) + wide.1 * cos(turn)) * cos(min(0, half)),
      ]
      return zip(output, expected).map { abs(Double($0[frame]) - $1) }
    }.worst
  }

  /// Returns the output for a sound that both sides share.
  private static func middle(
    of unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> FrequencyResponse {
    try response(of: unit, parameters, right: 1)
  }

  /// Returns the output for a sound with opposite signs on the two sides.
  private static func side(
    of unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> FrequencyResponse {
    try response(of: unit, parameters, right: -1)
  }

  private static func response(
    of unit: BuiltInUnit, _ parameters: [String: Float], right: Float
  ) throws -> FrequencyResponse {
    let impulse = Signals.impulse(frames: 8192)
    let host = try unit.host(channels: 2, parameters)
    return FrequencyResponse(of: host.play([impulse, impulse.map { $0 * right }])[0])
  }
}
