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

  /// A decay takes its time for 60 dB.
  private static func decay(_ name: String, _ model: Float) -> Figure {
    Figure("Decays of 0.5 s, all voices, \(name) model: worst error", in: "%", .atMost(5)) { unit in
      let errors = try DrumVoice.all.map { voice -> Double in
        let parameters = ["\(voice.name).decay": 0.5, "\(voice.name).model": model]
        let decay = Decay(of: try struck(unit, voice.keys[0], parameters, frames: 36_000))
        return 100 * (decay.seconds(from: -15, to: -55) * 60 / 40 / 0.5 - 1)
      }
      return Deviation.worst(errors)
    }
  }
}

/// A voice of the drum machine, and the keys of General MIDI that play it.
package struct DrumVoice: CustomStringConvertible, Sendable {
  package let name: String
  package let keys: [UInt8]
  package var description: String { name }

  package static let all = [
    DrumVoice(name: "kick", keys: [36, 35]), DrumVoice(name: "snare", keys: [38, 40]),
    DrumVoice(name: "rim", keys: [37]), DrumVoice(name: "clap", keys: [39]),
    DrumVoice(name: "closed_hat", keys: [42, 44]), DrumVoice(name: "open_hat", keys: [46]),
    DrumVoice(name: "low_tom", keys: [41, 43]), DrumVoice(name: "mid_tom", keys: [45, 47]),
    DrumVoice(name: "high_tom", keys: [48, 50]), DrumVoice(name: "crash", keys: [49, 52, 55, 57]),
    DrumVoice(name: "ride", keys: [51, 53, 59]), DrumVoice(name: "cowbell", keys: [56]),
    DrumVoice(name: "claves", keys: [75]), DrumVoice(name: "shaker", keys: [70, 82]),
  ]
}
