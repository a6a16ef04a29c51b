import Foundation

extension MeasuredUnit {
  static let polySynth = MeasuredUnit(
    "aumu/poly/bkln", part: .chords,
    presetParts: parts,
    figures: [
      Figure(
        "Worst harmonic of a saw at 440 Hz beside Fourier's, to 18 kHz", in: "dB",
        .near(0, within: 0.05)
      ) { unit in
        let saw = try steady(unit, [:], note: 69, frames: 4800)
        let errors = (1...40).map { harmonic in
          let level = Spectrum.amplitude(saw, at: 440 * Double(harmonic))
          return Level.decibels(level * .pi * Double(harmonic) / 2)
        }
        return errors.max { abs($0) < abs($1) } ?? .nan
      },
      Figure("Worst alias of a saw at 4978 Hz", in: "dBc", .atMost(-100)) { unit in
        let saw = try steady(unit, [:], note: 111, frames: 16_384)
        return LineSpectrum(saw).worstAlias(of: pitch(111))
      },
      Figure("Worst alias of a saw that one at 880 Hz resets", in: "dBc", .atMost(-75)) { unit in
        let spectrum = LineSpectrum(try steady(unit, synced, note: 81, frames: 16_384))
        let harmonics = (0...27).map { 880 * Double($0) }
        return spectrum.peak(from: 0, to: 20_000, except: harmonics)
          - spectrum.peak(from: 100, to: 20_000)
      },
      Figure("Pitch of A4 beside 440 Hz", in: "cents", .near(0, within: 0.1)) { unit in
        let sine = try steady(unit, ["osc1.shape": 0], note: 69, frames: 48_000)
        return Pitch.cents(from: 440, to: Pitch.frequency(of: sine))
      },
      Figure("Gain of the ladder at its cutoff of 8.8 kHz", in: "dB", .near(-12.04, within: 0.1)) {
        unit in
        let saw = try steady(
          unit, ["osc1.level": 1, "filter.mode": 0, "filter.cutoff": 8800], note: 69, frames: 4800)
        return Level.decibels(Spectrum.amplitude(saw, at: 8800) * .pi * 20 / 2 / 0.01)
      },
      Figure("Worst alias of a sine at 4978 Hz with 24 dB of drive", in: "dBc", .atMost(-75)) {
        unit in
        let sine = try steady(
          unit, ["osc1.shape": 0, "filter.drive": 24], note: 111, frames: 16_384)
        return LineSpectrum(sine).worstAlias(of: pitch(111))
      },
    ]
  ) { unit in
    // Below -120 dB, processors with and without fused multiply-adds differ.
    Plot(
      "Spectrum of a saw at 4978 Hz, and of one that another at 880 Hz resets", x: .frequency,
      y: .decibels(-120...0, step: 20, "Level"),
      [
        Plot.Curve(
          "saw", LineSpectrum(try steady(unit, [:], note: 111, frames: 16_384)).curve()),
        Plot.Curve(
          "synced", LineSpectrum(try steady(unit, synced, note: 81, frames: 16_384)).curve()),
      ])
  }

  private static let parts: [String: Part?] = [
    "Round Bass": .bass, "Acid Line": .bass, "Rubber Bass": .bass, "Reese": .bass, "Sub": .bass,
    "Plucked Bass": .bass, "Talking Bass": .bass, "FM Bass": .bass, "Sync Growl": .bass,
    "Saw Lead": .line, "Super Saw": .line, "Sync Lead": .line, "Hollow Square": .line,
    "Whistle": .line, "Fifth Lead": .line, "Screamer": .line, "Chip Lead": .line,
    "Brass Lead": .line, "Theremin": .line,
  ]

  private static let synced: [String: Float] = [
    "osc1.level": 0, "osc2.level": 100, "osc2.sync": 1, "osc2.pitch": 19.45,
  ]

  private static func pitch(_ note: Int) -> Double { 440 * pow(2, Double(note - 69) / 12) }

  /// Returns the last frames of a note of the first oscillator without a filter.
  private static func steady(
    _ unit: BuiltInUnit, _ parameters: [String: Float], note: UInt8, frames: Int
  ) throws -> [Float] {
    let plain: [String: Float] = [
      "level": 0, "drift": 0, "filter.mode": 5, "filter.envelope": 0, "amplifier.attack": 0.001,
      "amplifier.sustain": 100, "amplifier.velocity": 0,
    ]
    let host = try unit.host(plain.merging(parameters) { $1 })
    let output = host.render(frames: 2400 + frames, events: [.midi([0x90, note, 127], at: 0)])[0]
    return [Float](output.suffix(frames))
  }
}
