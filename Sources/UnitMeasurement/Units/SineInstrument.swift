extension MeasuredUnit {
  static let sineInstrument = MeasuredUnit(
    "aumu/sine/bkln", part: .chords,
    presetParts: ["Test Tone": nil, "Sub Bass": .bass],
    figures: [
      Figure("Pitch of A4 beside 440 Hz", in: "cents", .near(0, within: 0.05)) { unit in
        let output = try played(unit, ["sustain": 100], frames: 48_000)
        return Pitch.cents(from: 440, to: Pitch.frequency(of: output))
      },
      Figure("Third partial of the cubed sine", in: "dB", .near(-9.54, within: 0.05)) { unit in
        let output = try played(unit, ["waveform": 1, "sustain": 100], frames: 24_000).suffix(9600)
        let partials = [1320.0, 440].map {
          SineFit(output, frequency: $0, sampleRate: 48_000).amplitude
        }
        return Level.decibels(partials[0] / partials[1])
      },
    ]
  ) { unit in
    Plot(
      "Level of a note of 1 s, by preset", x: .seconds(2, step: 0.25),
      y: .decibels(-72...0, step: 12, "Level"),
      try ["Flute Stop", "Mallet", "Slow Pad"].map { preset in
        let output = try played(unit, preset: preset, frames: 96_000, release: 48_000)
        return Plot.Curve(preset, Plot.Point.levels(of: output, window: 0.01))
      })
  }

  /// Returns A4 at the highest velocity.
  private static func played(
    _ unit: BuiltInUnit, preset: String? = nil, _ parameters: [String: Float] = [:], frames: Int,
    release: Int? = nil
  ) throws -> [Float] {
    let host = try unit.host(preset: preset, parameters)
    let end = release.map { [UnitHost.Event.midi([0x80, 69, 0], at: $0)] } ?? []
    return host.render(frames: frames, events: [.midi([0x90, 69, 127], at: 0)] + end)[0]
  }
}
