import Foundation

extension MeasuredUnit {
  static let pitchShifter = MeasuredUnit(
    "aufx/ptch/bkln",
    presetMaterial: [
      "Defaults": nil,
      "Vocal Thirds in C": .voice, "Lower Voice": .voice, "Studio Choir": .voice,
    ],
    figures: [("Live", 0), ("High", 1)].flatMap { name, quality in
      [
        Figure(
          "Worst sine beside its errors, \(name): 220 to 1500 Hz, -24 to 24 semitones", in: "dB",
          .atLeast(60)
        ) { unit in
          try Self.shifts.map { semitones, frequency in
            let fit = try fit(by: semitones, quality: quality, frequency, of: unit)
            return Level.decibels(fit.amplitude / 2.0.squareRoot() / fit.residual)
          }.min() ?? .nan
        },
        Figure(
          "Worst change of a sine's level, \(name): 220 to 1500 Hz, -24 to 24 semitones", in: "dB",
          .near(0, within: 0.05)
        ) { unit in
          try Self.shifts.map { semitones, frequency in
            let fit = try fit(by: semitones, quality: quality, frequency, of: unit)
            return Level.decibels(fit.amplitude / 0.5)
          }.max { abs($0) < abs($1) } ?? .nan
        },
        Figure(
          "Noise, \(name), 7 semitones up: change of colour", in: "dB", .near(0, within: 1),
          isLong: true
        ) { try colour(by: 7, quality: quality, of: $0) },
        Figure(
          "Beginning of a tone, \(name), a fifth up: 10 to 70 %", in: "ms", .atMost(15),
          isLong: true
        ) { try rise(quality: quality, of: $0) },
        Figure(
          "Harmonics of a vowel beside its formants, \(name), a fifth up", in: "dB rms", .atMost(1)
        ) { try formants(quality: quality, of: $0) },
      ]
    } + figuresOfMixes
  ) { unit in
    let tone = Signals.harmonics(frames: 49_152)
    let shifted = try [Float(0), 1].map { quality in
      try unit.host(["dry": -96, "quality": quality, "voice_1.semitones": -5]).play(tone)
    }
    return Plot(
      "Spectrum of a tone of 220 Hz, five semitones lower", x: .frequency,
      y: .decibels(-96...0, step: 12, "Level"),
      zip(["dry", "Live", "High"], [tone] + shifted).map { name, sound in
        Plot.Curve(name, LineSpectrum(sound).curve(from: 50, to: 5000))
      })
  }

  private static let figuresOfMixes = [
    Figure(
      "A2–C♯3–E3, High, a fourth up: partials beside the rest", in: "dB", .atLeast(25),
      peer: "Rubber Band R3: 14 dB"
    ) {
      let output = try host(by: 5, quality: 1, of: $0).play(CloseChord.sound)
      return CloseChord.clarity(of: output, movedBy: pow(2, 5 / 12.0))
    },
    hits("a fourth down", semitones: -5, .atLeast(16), peer: "Rubber Band R3: 14 dB"),
    hits("a fourth up", semitones: 5, .atLeast(20), peer: "Rubber Band R3: 16 dB"),
    hits("an octave up", semitones: 12, .atLeast(20), peer: "Rubber Band R3: 15 dB"),
  ]

  private static func hits(
    _ name: String, semitones: Float, _ goal: ClosedRange<Double>, peer: String
  ) -> Figure {
    Figure("Hits of noise, High, \(name): 5 ms beside the rest", in: "dB", goal, peer: peer) {
      let shifter = try host(by: semitones, quality: 1, of: $0)
      return Hits.sharpness(of: shifter.play(Hits.sound), latency: shifter.latency)
    }
  }

  /// The semitones and the sines, in Hz, of the figures of a sine.
  private static let shifts: [(Float, Double)] = [
    (-24, 300), (-12, 1500), (-7, 300), (0, 300), (0.3, 300), (7, 220), (24, 300),
  ]

  /// Creates an instance with one voice alone.
  private static func host(
    by semitones: Float, quality: Int, of unit: BuiltInUnit
  ) throws -> UnitHost {
    try unit.host(["dry": -96, "quality": Float(quality), "voice_1.semitones": semitones])
  }

  /// Returns the settled output for a sine of amplitude 0.5.
  private static func shifted(
    by semitones: Float, quality: Int, _ frequency: Double, of unit: BuiltInUnit
  ) throws -> [Float] {
    let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 32_000)
    return Array(try host(by: semitones, quality: quality, of: unit).play(sine).suffix(12_000))
  }

  /// Returns the sine that is expected in the settled output for a sine of amplitude 0.5.
  private static func fit(
    by semitones: Float, quality: Int, _ frequency: Double, of unit: BuiltInUnit
  ) throws -> SineFit {
    SineFit(
      try shifted(by: semitones, quality: quality, frequency, of: unit),
      frequency: frequency * pow(2, Double(semitones) / 12), sampleRate: 48_000)
  }

  /// Returns the change of the noise band that changes most, relative to the mean change of all
  /// bands, dB.
  private static func colour(
    by semitones: Float, quality: Int, of unit: BuiltInUnit
  ) throws -> Double {
    let noise = Signals.noise(frames: 262_144).map { $0 / 4 }
    let output = try host(by: semitones, quality: quality, of: unit).play(noise).suffix(131_072)
    let powers = FourierTransform.magnitudes(output.map(Double.init)).map { $0 * $0 }
    let bands = [500.0, 1000, 2000, 4000, 8000].map { low in
      let bins = Int(low / 48_000 * 131_072)..<Int(1.4 * low / 48_000 * 131_072)
      return 10 * log10(powers[bins].reduce(0, +) / Double(bins.count))
    }
    let mean = bands.reduce(0, +) / Double(bands.count)
    return bands.map { $0 - mean }.max { abs($0) < abs($1) } ?? 0
  }

  /// Returns the RMS difference, up to 4 kHz, between the harmonics of a vowel shifted a fifth up
  /// with preserved formants and those that the formants predict, dB.
  private static func formants(quality: Int, of unit: BuiltInUnit) throws -> Double {
    let ratio = pow(2, 7 / 12.0)
    let pitch = 56 * 48_000 / 16_384.0  // the output's pitch, on a line of its spectrum
    let vowel = Vowel(pitch: pitch / ratio)
    let settings: [String: Float] = [
      "dry": -96, "quality": Float(quality), "keep_formants": 1, "voice_1.semitones": 7,
    ]
    let output = try unit.host(settings).play(vowel.sound(frames: 48_000))
    let spectrum = LineSpectrum(output.suffix(16_384))
    let errors = stride(from: pitch, to: 4000, by: pitch).map { frequency in
      let expected = vowel.amplitude(at: frequency) * ratio.squareRoot()
      return spectrum.level(at: frequency) - Level.decibels(expected)
    }
    return (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
  }

  /// Returns the time from a tenth to seven tenths of a sine's level at its onset, ms.
  private static func rise(quality: Int, of unit: BuiltInUnit) throws -> Double {
    let silence = Signals.constant(0, frames: 9600)
    let tone = Signals.sine(frequency: 440, amplitude: 0.5, frames: 19_200)
    let output = try host(by: 7, quality: quality, of: unit).play(silence + tone)
    let first = output.firstIndex { abs($0) >= 0.05 } ?? 0
    let second = output.firstIndex { abs($0) >= 0.35 } ?? output.count
    return Double(second - first) / 48
  }
}
