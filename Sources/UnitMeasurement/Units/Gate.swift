import Foundation

extension MeasuredUnit {
  static let gate = MeasuredUnit(
    "aufx/gate/bkln",
    presetMaterial: [
      "Voice": .voice, "Kick Drum": .drums, "Snare Drum": .drums, "Toms": .drums,
      "Voice-over": nil,
    ],
    figures: [
      Figure("Level at which it opens, threshold -50 dB", in: "dB", .near(-50, within: 0.2)) {
        unit in try opening(of: unit, rising: true)
      },
      Figure("Level at which it closes, hysteresis 6 dB", in: "dB", .near(-56, within: 0.2)) {
        unit in try opening(of: unit, rising: false)
      },
      Figure("Attenuation when closed, range 60 dB", in: "dB", .near(60, within: 0.2)) { unit in
        let output = try unit.host(["ratio": 100]).play(Signals.constant(1e-4, frames: 480))
        return -80 - Level.peak(output)
      },
      Figure("Attack of 5 ms: time to 63 % of the range", in: "ms", .near(5, within: 0.25)) {
        unit in
        let output = try unit.host(["attack": 5, "ratio": 100]).play(
          Signals.constant(1, frames: 2400))
        let reached = Float(Level.amplitude(-60 * exp(-1)))
        return Double(output.firstIndex { $0 >= reached } ?? 0) / 48
      },
      Figure(
        "Flipped: gain of loud and of soft sound, range 12 dB", in: "dB", .near(-12, within: 0.2)
      ) {
        unit in
        let host = try unit.host(["ratio": 100, "range": 12, "flip": 1, "hold": 0])
        let soft = Level.peak(host.play(Signals.constant(1e-4, frames: 4800)).suffix(1))
        let loud = Level.peak(host.play(Signals.constant(1, frames: 4800)).suffix(1))
        return loud - (soft + 80)
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
