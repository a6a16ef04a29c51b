import Foundation

extension MeasuredUnit {
  static let drumMachine = MeasuredUnit(
    "aumu/drum/bkln", part: .beat,
    figures: [
      Figure("Decay of a kick of 1 s", in: "s", .near(1, within: 0.05)) { unit in
        try decay(of: struck(unit, 36, ["kick.decay": 1]))
      },
      Figure("Decay of an open hat of 1 s", in: "s", .near(1, within: 0.05)) { unit in
        try decay(of: struck(unit, 46, ["open_hat.decay": 1]))
      },
      Figure("Decay of a snare of 1 s", in: "s", .near(1, within: 0.05)) { unit in
        try decay(of: struck(unit, 38, ["snare.decay": 1]))
      },
      Figure("Pitch of the claves beside 2500 Hz", in: "cents", .near(0, within: 1)) { unit in
        let output = try struck(unit, 75, ["claves.decay": 4, "claves.tone": 0])
        return 1200 * log2(LineSpectrum(output).frequency(near: 2500) / 2500)
      },
      Figure("Open hat, 20 ms after a closed one", in: "dB", .atMost(-120)) { unit in
        let host = try unit.host(["closed_hat.level": -96, "open_hat.decay": 4])
        let output = host.render(
          frames: 9600, events: [.midi([0x99, 46, 127], at: 0), .midi([0x99, 42, 127], at: 4800)])
        return Level.peak(output[0][5760...])
      },
    ]
  ) { unit in
    Plot(
      "Level of a stroke, by voice", x: .seconds(1.2, step: 0.2),
      y: .decibels(-72...0, step: 12, "Level"),
      try [("kick", 36), ("snare", 38), ("closed hat", 42), ("open hat", 46), ("clap", 39)].map {
        name, key in
        let output = try struck(unit, UInt8(key)).prefix(57_600)
        return Plot.Curve(name, Plot.Point.levels(of: Array(output), window: 0.01))
      })
  }

  /// Returns two seconds of the left channel.
  private static func struck(
    _ unit: BuiltInUnit, _ key: UInt8, _ parameters: [String: Float] = [:]
  ) throws -> [Float] {
    try unit.host(parameters).render(frames: 96_000, events: [.midi([0x99, key, 127], at: 0)])[0]
  }

  private static func decay(of output: [Float]) -> Double {
    Decay(of: output).seconds(from: -15, to: -55) * 60 / 40
  }
}
