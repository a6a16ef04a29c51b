import Foundation

extension MeasuredUnit {
  static let fmSynth = MeasuredUnit(
    "aumu/fmop/bkln", part: .chords,
    presetParts: [
      "Solid Bass": .bass, "Slap Bass": .bass, "Round Bass": .bass, "Growl Bass": .bass,
    ],
    figures: [
      Figure(
        "Worst sideband at an index of 5 beside Bessel's, to the tenth", in: "dB",
        .near(0, within: 0.1)
      ) { unit in
        let sound = try steady(
          unit, ["op1.ratio": 8, "op2.ratio": 0.25, "op2.level": 50], note: 69, frames: 4800)
        let errors = (0...10).map { order in
          let level = Spectrum.amplitude(sound, at: 3520 + 110 * Double(order))
          return Level.decibels(level / abs(jn(Int32(order), 5)))
        }
        return errors.max { abs($0) < abs($1) } ?? .nan
      },
      Figure(
        "Worst alias of a sine at 3520 Hz, modulated by its like, index 5", in: "dBc", .atMost(-80)
      ) { unit in
        let sound = try steady(unit, ["op2.level": 50], note: 105, frames: 16_384)
        return LineSpectrum(sound).worstAlias(of: 3520)
      },
      Figure("Worst alias of a feedback of 12 % at 880 Hz, index 1.2", in: "dBc", .atMost(-80)) {
        unit in
        let sound = try steady(unit, feedback, note: 81, frames: 16_384)
        return LineSpectrum(sound).worstAlias(of: 880)
      },
      Figure("Pitch of A4 beside 440 Hz", in: "cents", .near(0, within: 0.1)) { unit in
        Pitch.cents(
          from: 440, to: Pitch.frequency(of: try steady(unit, [:], note: 69, frames: 48_000)))
      },
    ]
  ) { unit in
    // Below -120 dB, processors with and without fused multiply-adds differ.
    Plot(
      "Spectrum of A5, modulated by its like with an index of 5, and by its own feedback of 12 %",
      x: .frequency, y: .decibels(-120...0, step: 20, "Level"),
      [
        Plot.Curve(
          "index 5",
          LineSpectrum(try steady(unit, ["op2.level": 50], note: 81, frames: 16_384)).curve()),
        Plot.Curve(
          "feedback", LineSpectrum(try steady(unit, feedback, note: 81, frames: 16_384)).curve()),
      ])
  }

  /// The parameters for the sixth operator alone, which modulates itself.
  private static let feedback: [String: Float] = [
    "algorithm": 32, "op1.level": 0, "op6.level": 100, "feedback": 12,
  ]

  /// Returns the last frames of a sustained note of the first operator and the given parameters.
  private static func steady(
    _ unit: BuiltInUnit, _ parameters: [String: Float], note: UInt8, frames: Int
  ) throws -> [Float] {
    let plain: [String: Float] = [
      "level": 0, "op1.sustain": 100, "op2.sustain": 100, "op2.level": 0,
    ]
    let host = try unit.host(plain.merging(parameters) { $1 })
    let output = host.render(frames: 2400 + frames, events: [.midi([0x90, note, 127], at: 0)])[0]
    return [Float](output.suffix(frames))
  }
}
