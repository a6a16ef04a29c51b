import Foundation

extension MeasuredUnit {
  static let drumMachine = MeasuredUnit(
    "aumu/drum/bkln", part: .beat,
    figures: [
      decay("first", 0), decay("second", 1),
      Figure("Pitch of the claves, tuned by -24 to 24 semitones: worst", in: "cents", .atMost(1)) {
        unit in
        let errors = try ([-24, -5, 0, 7, 24] as [Float]).map { tune -> Double in
          let output = try struck(
            unit, 75, ["claves.tune": tune, "claves.decay": 4, "claves.tone": 0])
          let expected = 2500 * pow(2, Double(tune) / 12)
          return Pitch.cents(from: expected, to: LineSpectrum(output).frequency(near: expected))
        }
        return Deviation.worst(errors)
      },
      Figure("Open hat, 20 ms after a closed one or the pedal", in: "dB", .atMost(-399)) { unit in
        let levels = try ([42, 44] as [UInt8]).map { key -> Double in
          let host = try unit.host(["closed_hat.level": -96, "open_hat.decay": 4])
          let output = host.render(
            frames: 9600,
            events: [.midi([0x99, 46, 127], at: 0), .midi([0x99, key, 127], at: 4800)])
          return Level.peak(output[0][5760...])
        }
        return levels.max() ?? 0
      },
    ]
  ) { unit in
    Plot(
      "Level of a stroke, by voice", x: .seconds(1.2, step: 0.2),
      y: .decibels(-72...0, step: 12, "Level"),
      try [("kick", 36), ("snare", 38), ("closed hat", 42), ("open hat", 46), ("clap", 39)].map {
        name, key in
        let output = try struck(unit, UInt8(key))
        return Plot.Curve(name, Plot.Point.levels(of: output, window: 0.01))
      })
  }

  /// Returns the left channel.
  private static func struck(
    _ unit: BuiltInUnit, _ key: UInt8, _ parameters: [String: Float] = [:], frames: Int = 57_600
  ) throws -> [Float] {
    try unit.host(parameters).render(frames: frames, events: [.midi([0x99, key, 127], at: 0)])[0]
  }

  private static let voices: [(name: String, key: UInt8)] = [
    ("kick", 36), ("snare", 38), ("rim", 37), ("clap", 39), ("closed_hat", 42), ("open_hat", 46),
    ("low_tom", 41), ("mid_tom", 45), ("high_tom", 48), ("crash", 49), ("ride", 51),
    ("cowbell", 56), ("claves", 75), ("shaker", 70),
  ]

  /// A decay takes its time for 60 dB.
  private static func decay(_ name: String, _ model: Float) -> Figure {
    Figure("Decays of 0.5 s, all voices, \(name) model: worst error", in: "%", .atMost(5)) { unit in
      let errors = try voices.map { name, key -> Double in
        let parameters = ["\(name).decay": 0.5, "\(name).model": model]
        let decay = Decay(of: try struck(unit, key, parameters, frames: 36_000))
        return 100 * (decay.seconds(from: -15, to: -55) * 60 / 40 / 0.5 - 1)
      }
      return Deviation.worst(errors)
    }
  }
}
