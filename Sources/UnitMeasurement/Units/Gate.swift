import Foundation

extension MeasuredUnit {
  static let gate = MeasuredUnit(
    "aufx/gate/bkln",
    presetMaterial: [
      "Voice": .voice, "Kick Drum": .drums, "Snare Drum": .drums, "Toms": .drums,
      "Voice-over": nil,
    ],
    figures: [
      Figure("Level at which the gate opens, threshold -50 dB", in: "dB", .near(-50, within: 0.2)) {
        unit in try opening(of: unit, rising: true)
      },
      Figure("Level at which the gate closes, hysteresis 6 dB", in: "dB", .near(-56, within: 0.2)) {
        unit in try opening(of: unit, rising: false)
      },
      Figure(
        "Gain while it opens and closes: worst difference from the formula", in: "dB",
        .atMost(0.01)
      ) { unit in
        let times: [(Double, Double, Double)] = [(1, 40, 120), (0.05, 0, 5), (10, 100, 30)]
        return try times.map { attack, hold, release in
          try error(of: unit, attack: attack, hold: hold, release: release, range: 60)
        }.worst
      },
      Figure(
        "Gain while it opens and closes, flipped, range 12 dB: worst difference", in: "dB",
        .atMost(0.01)
      ) { unit in
        try error(of: unit, attack: 10, hold: 50, release: 100, range: 12, isFlipped: true)
      },
    ]
  ) { unit in
    Plot(
      "Level out over level in, threshold -40 dB, hysteresis 0 dB, by ratio",
      x: .decibels(-70 ... -20, step: 10, "Input"), y: .decibels(-100 ... -20, step: 20, "Output"),
      try ([1, 2, 4, 100] as [Float]).map { ratio in
        let host = try unit.host([
          "threshold": -40, "hysteresis": 0, "ratio": ratio, "range": 30, "attack": 0.05,
          "release": 5, "hold": 10,
        ])
        return Plot.Curve(
          "\(Int(ratio)):1", host.transferCurve(stride(from: -70, through: -20, by: 1)))
      })
  }

  /// Returns the gain's largest distance from its formula, dB, for a step to full scale and back.
  /// Closed, the gate takes its range away; in decibels it opens exponentially, and closes so after
  /// the hold. Flipped, it takes the range from what is above the threshold.
  private static func error(
    of unit: BuiltInUnit, attack: Double, hold: Double, release: Double, range: Double,
    isFlipped: Bool = false
  ) throws -> Double {
    let host = try unit.host([
      "threshold": -30, "ratio": 100, "range": Float(range), "attack": Float(attack),
      "hold": Float(hold), "release": Float(release), "flip": isFlipped ? 1 : 0,
    ])
    let input = [Float(1e-3), 1, 1e-3].flatMap { Signals.constant($0, frames: 9600) }
    let output = host.play(input)
    return stride(from: 0, to: input.count, by: 41).map { frame in
      let time = Double(frame % 9600 + 1) / 48
      let closing = 1 - exp(-max(0, time - hold) / release)
      let closed = [1, exp(-time / attack), closing][frame / 9600]
      let gain = Level.gain(from: input[frame], to: output[frame])
      return gain + range * (isFlipped ? 1 - closed : closed)
    }.worst
  }

  /// Returns the level at which a slowly swelling or fading sound crosses the threshold, dB.
  private static func opening(of unit: BuiltInUnit, rising: Bool) throws -> Double {
    let host = try unit.host([
      "threshold": -50, "hysteresis": 6, "ratio": 100, "attack": 0.05, "release": 5, "hold": 0,
    ])
    let swell = (0..<24_000).map { frame -> Float in
      Float(Level.amplitude(-70 + Double(frame) / 600))
    }
    let input = swell + swell.reversed()
    let output = host.play(input)
    let open = input.indices.filter { output[$0] > 0.9 * input[$0] }
    return Level.decibels(Double(input[(rising ? open.first : open.last) ?? 0]))
  }
}
