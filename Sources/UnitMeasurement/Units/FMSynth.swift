import Foundation

extension MeasuredUnit {
  static let fmSynth = MeasuredUnit(
    "aumu/fmop/bkln", part: .chords,
    presetParts: [
      "Solid Bass": .bass, "Slap Bass": .bass, "Round Bass": .bass, "Growl Bass": .bass,
    ],
    figures: [
      // A tenth of the level is the index.
      Figure(
        "Sidebands at indices of 0.5, 2, 5 and 10, to the twelfth: farthest from Bessel's",
        in: "dB", .atMost(0.1)
      ) { unit in
        let errors = try [0.5, 2, 5, 10].flatMap { index -> [Double] in
          let parameters: [String: Float] = [
            "op1.ratio": 8, "op2.ratio": 0.25, "op2.level": Float(10 * index),
          ]
          let sound = try steady(unit, parameters, note: 69, frames: 4800)
          return (0...12).map { order -> Double in
            let expected = abs(jn(Int32(order), index))
            let measured = Spectrum.amplitude(sound, at: 3520 + 110 * Double(order))
            if expected > 1e-3 { return Level.decibels(measured / expected) }
            return abs(measured - expected) < 1e-5 ? 0 : .infinity
          }
        }
        return Deviation.worst(errors)
      },
      Figure(
        "Worst alias of five sounds, an index of 5 at 3520 Hz and feedback among them", in: "dBc",
        .atMost(-100)
      ) { unit in
        let sounds: [(UInt8, [String: Float])] = [
          (105, ["op2.level": 50]), (93, ["op2.level": 50, "op2.ratio": 3]),
          (69, ["op2.level": 15, "op2.ratio": 14]), (81, ["op2.level": 50, "feedback": 4]),
          (81, feedback.merging(["op6.sustain": 100]) { $1 }),
        ]
        return try sounds.map { note, parameters -> Double in
          let sound = try steady(
            unit, parameters.merging(["algorithm": 2]) { own, _ in own }, note: note,
            frames: 16_384)
          return LineSpectrum(sound).worstAlias(of: Pitch.ofKey(note))
        }.max() ?? 0
      },
      Figure(
        "Pitches of A4, of a ratio of 3.5 and of fixed 1 kHz: worst", in: "cents", .atMost(0.1)
      ) { unit in
        let notes: [(UInt8, Double, [String: Float])] = [
          (69, 440, [:]), (57, 770 * pow(2, 50.0 / 1200), ["op1.ratio": 3.5, "op1.fine": 50]),
          (40, 1000, ["op1.fixed": 1, "op1.frequency": 1000]),
          (90, 1000, ["op1.fixed": 1, "op1.frequency": 1000]),
        ]
        return Deviation.worst(
          try notes.map { note, expected, parameters -> Double in
            let sound = try steady(unit, parameters, note: note, frames: 24_000)
            return Pitch.cents(from: expected, to: Pitch.frequency(of: sound))
          })
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
