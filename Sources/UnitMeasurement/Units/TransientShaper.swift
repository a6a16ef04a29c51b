import Foundation

extension MeasuredUnit {
  static let transientShaper = MeasuredUnit(
    "aufx/tran/bkln", material: .drums,
    presetMaterial: ["Piano Felt": .chords, "Picked Guitar": .guitar],
    figures: [
      Figure("Gain of a beginning, -15 to 15 dB: worst error", in: "dB", .atMost(0.01)) { unit in
        try [-15.0, -6, 6, 15].flatMap { amount in
          try [5.0, 20, 100].map { try attackError(unit, amount: amount, time: $0) }
        }.worst
      },
      Figure("Gain of what rings on, -15 to 15 dB: worst error", in: "dB", .atMost(0.1)) { unit in
        try [-15.0, -6, 6, 15].flatMap { amount in
          try [100.0, 300].map { try sustainError(unit, amount: amount, time: $0) }
        }.worst
      },
      Figure("Largest difference of drums' gain over 40 dB of level", in: "dB", .atMost(0.2)) {
        unit in
        let loud = try drumGains(unit, level: 1)
        return try [0.1, 0.01].flatMap { level in
          zip(loud, try drumGains(unit, level: level)).map { abs($0 - $1) }
        }.worst
      },
      Figure("Lowest gain of drums, attack 12, sustain -12 dB", in: "dB", .near(-12, within: 0.1)) {
        unit in try drumGains(unit, level: 1).min() ?? .nan
      },
      Figure(
        "Highest gain of drums, attack 12, sustain -12 dB", in: "dB", .near(12, within: 0.1)
      ) { unit in
        try drumGains(unit, level: 1).max() ?? .nan
      },
      Figure(
        "Largest change of a steady 40, 100 or 1000 Hz, of its amplitude, both at 15 dB", in: "",
        .atMost(1e-3)
      ) { unit in
        try [40.0, 100, 1000].flatMap { frequency in
          let sine = Signals.sine(frequency: frequency, amplitude: 0.25, frames: 144_000)
          let output = try unit.host(["attack": 15, "sustain": 15]).play(sine)
          return zip(sine, output).suffix(24_000).map { Double(abs($0 - $1)) / 0.25 }
        }.worst
      },
    ]
  ) { unit in
    Plot(
      "Level of a drum stroke of 60 dB in 0.5 s, by setting", x: .seconds(0.4, step: 0.1),
      y: .decibels(-72...12, step: 12, "Level"),
      try [
        ("as it is", 0, 0), ("attack 12 dB", 12, 0), ("sustain 12 dB", 0, 12),
        ("sustain -12 dB", 0, -12),
      ].map { name, attack, sustain in
        let host = try unit.host(["attack": Float(attack), "sustain": Float(sustain)])
        return Plot.Curve(name, Plot.Point.levels(of: host.play(stroke(0.5)), window: 0.005))
      })
  }

  /// Returns the largest error of the gain of a sound that begins: its follower is 1 - exp(-t/τ) of
  /// it, and the gain the knob's part of that in dB, whole at 12 dB.
  private static func attackError(
    _ unit: BuiltInUnit, amount: Double, time: Double
  ) throws -> Double {
    let output = try unit.host(["attack": Float(amount), "attack_time": Float(time)]).play(
      Signals.constant(0.1, frames: 9600))
    return stride(from: 0, to: 9600, by: 37).map { frame in
      let rest = exp(-Double(frame + 1) / 48 / time)
      let expected = amount * min(1, Level.decibels(1 - rest) / -12)
      return Level.gain(from: 0.1, to: output[frame]) - expected
    }.worst
  }

  /// Returns the largest error of the gain of a sound that falls by 8 dB: the level does so within
  /// twice 12.5 ms; its follower is left s + (1 - s) exp(-t/τ) of what it was.
  private static func sustainError(
    _ unit: BuiltInUnit, amount: Double, time: Double
  ) throws -> Double {
    let soft = Level.amplitude(-8)
    let input = Signals.constant(1, frames: 9600) + Signals.constant(Float(soft), frames: 48_000)
    let output = try unit.host(["sustain": Float(amount), "sustain_time": Float(time)]).play(input)
    return stride(from: 1200, to: 48_000, by: 437).map { frame in
      // The middle between the fall's start and its end is 18 ms later.
      let rest = exp(-(Double(frame) / 48 - 18) / time)
      let expected = amount * (Level.decibels(soft + (1 - soft) * rest) + 8) / 12
      return Level.gain(from: Float(soft), to: output[9600 + frame]) - expected
    }.worst
  }

  /// Returns the gains of strokes of noise that decay, frame by frame.
  private static func drumGains(_ unit: BuiltInUnit, level: Float) throws -> [Double] {
    let drums = Signals.strokes
    let output = try unit.host(["attack": 12, "sustain": -12]).play(drums.map { $0 * level })
    return drums.indices.filter { abs(drums[$0]) > 1e-3 }.map {
      Level.gain(from: drums[$0] * level, to: output[$0])
    }
  }

  /// A tone that decays by 60 dB in 0.5 s.
  private static func stroke(_ amplitude: Float) -> [Float] {
    (0..<19_200).map { frame in
      amplitude * Float(exp(-Double(frame) / 3474) * cos(2 * .pi * 200.3 * Double(frame) / 48_000))
    }
  }
}
