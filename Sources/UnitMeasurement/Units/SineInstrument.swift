import Foundation

extension MeasuredUnit {
  static let sineInstrument = MeasuredUnit(
    "aumu/sine/bkln", part: .chords,
    presetParts: ["Test Tone": nil, "Sub Bass": .bass],
    figures: [
      Figure("Worst pitch of A0, A3, A4, B♭4 and C8 at three rates", in: "cents", .atMost(0.01)) {
        unit in
        try [44_100.0, 48_000, 192_000].flatMap { sampleRate in
          try [UInt8(21), 57, 69, 70, 108].map { note in
            let host = try unit.host(sampleRate: sampleRate, ["sustain": 100])
            let output = host.render(frames: 52_000, events: [.on(note)])[0]
            return abs(
              Pitch.cents(
                from: Pitch.ofKey(note), to: Pitch.frequency(of: output, sampleRate: sampleRate)))
          }
        }.worst
      },
      // sin³ x = (3 sin x - sin 3x) / 4
      Figure("Worst error of the cubed sine's partials", in: "", .atMost(1e-4)) { unit in
        let cubed: [String: Float] = ["waveform": 1, "sustain": 100, "level": 0]
        let output = [Float](try played(unit, cubed, frames: 24_000).suffix(4800))
        return [(440, 0.75), (1320, 0.25), (2200, 0)].map { frequency, amplitude in
          abs(Spectrum.amplitude(output, at: frequency) - amplitude)
        }.worst
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
