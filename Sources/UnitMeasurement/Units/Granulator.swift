import Foundation

extension MeasuredUnit {
  static let granulator = MeasuredUnit(
    "aufx/gran/bkln", material: .guitar,
    presetMaterial: ["Smear": .chords, "Frozen Pad": .chords],
    figures: [
      Figure(
        "Level of grains' tone, from two octaves down to two up: farthest from the sine's",
        in: "dB", .atMost(0.08)
      ) { unit in
        // A Hann window halves the amplitude.
        let tones = try pitches.map { try tone(of: unit, semitones: $0, detune: 1) }
        return tones.map { abs(Level.decibels(2 * $0)) }.worst
      },
      Figure("Grains of a sine, heard 10 % above their pitch: loudest", in: "dB", .atMost(-40)) {
        unit in
        let tones = try pitches.map { try tone(of: unit, semitones: $0, detune: 1.1) }
        return Level.decibels(tones.max() ?? 1)
      },
      Figure(
        "Frozen thirds of an octave, 0.5 to 16 kHz: level farthest from the sound's",
        in: "dB", .atMost(0.5)
      ) { unit in
        let input = (0..<96_000).map { 0.2 * period[$0 % period.count] }
        let output = try frozen(input, by: unit, position: 0.1, seconds: 12)
        let reference = BandSpectrum.curve(of: [input])
        let bands = zip(reference, BandSpectrum.curve(of: [output]))
        return bands.filter { (500...16_000).contains($0.0.x) }.map { abs($0.0.y - $0.1.y) }
          .max() ?? .infinity
      },
      Figure(
        "Level of a frozen minute's seconds, loudest beside softest", in: "dB", .atMost(0.5)
      ) { unit in
        let output = try frozen(noise, by: unit, position: 0.05, seconds: 60)
        let levels = stride(from: 0, to: output.count, by: 48_000).map {
          Level.rms(output[$0..<$0 + 48_000])
        }
        return (levels.max() ?? 0) - (levels.min() ?? 0)
      },
      Figure(
        "Level of a frozen minute of noise, beside the noise", in: "dB", .near(0, within: 0.5)
      ) { unit in
        Level.rms(try frozen(noise, by: unit, position: 0.05, seconds: 60)) - Level.rms(noise)
      },
      Figure("Largest autocorrelation of frozen noise", in: "", .atMost(0.2)) { unit in
        let output = try frozen(noise, by: unit, position: 0.05, seconds: 30)
        let start = output.prefix(24_000)
        let energy = Level.energy(start)
        // Whole hops of the transform, and any other lags.
        let lags = (1...200).map { $0 * 4096 } + (1...60).map { 16_000 + $0 * 12_347 }
        return lags.map { lag in
          abs(zip(start, output[lag...]).reduce(0.0) { $0 + Double($1.0 * $1.1) }) / energy
        }.worst
      },
    ]
  ) { unit in
    let voice = Array(Material.guitar.samples.prefix(96_000))
    let curves: [(String, [String: Float])] = [
      ("bypass", ["mix": 0]), ("grains", ["mix": 100, "size": 60, "density": 6, "jitter": 0]),
      ("spectrum", ["mix": 100, "engine": 1]),
    ]
    return Plot(
      "Level of two seconds of guitar", x: .seconds(2, step: 0.25),
      y: .decibels(-60...0, step: 12, "Level"),
      try curves.map { name, parameters in
        let levels = Plot.Point.levels(of: try unit.host(parameters).play(voice), window: 0.02)
        return Plot.Curve(name, levels.map { Plot.Point($0.x, max($0.y, -60)) })
      })
  }

  /// Semitones.
  private static let pitches: [Float] = [-24, -12, 7, 12, 24]

  /// Returns the amplitude at `detune` times the pitch of a grain of a second, of a sine.
  private static func tone(
    of unit: BuiltInUnit, semitones: Float, detune: Double
  ) throws -> Double {
    let host = try unit.host([
      "mix": 100, "pitch": semitones, "spray": 0, "size": 1000, "density": 1, "jitter": 0,
      "position": 5,
    ])
    let output = host.play(Signals.sine(frequency: 600, frames: 336_000))
    let frequency = 600 * exp2(Double(semitones) / 12) * detune
    return Spectrum.amplitude(Array(output.suffix(48_000)), at: frequency)
  }

  private static let noise = Signals.noise(frames: 48_000)

  /// Returns the frozen spectrum of a sound, from a second after its end.
  private static func frozen(
    _ input: [Float], by unit: BuiltInUnit, position: Float, seconds: Int
  ) throws -> [Float] {
    let host = try unit.host(["mix": 100, "engine": 1, "spray": 0, "position": position])
    let event = UnitHost.Event.parameter(host.address("freeze"), 1, at: input.count - 1000)
    _ = host.play(input, events: [event])
    _ = host.render(frames: 48_000)
    return host.render(frames: seconds * 48_000)[0]
  }

  /// One period of the multiples 8 to 1535 of 48000 / 4096 Hz, with equal amplitudes and random
  /// phases: four bins of the transform apart, so that any window of them has the same spectrum.
  private static let period: [Float] = {
    let noise = Signals.noise(frames: 4096, seed: 5)
    var samples = [Double](repeating: 0, count: 4096)
    for harmonic in stride(from: 8, to: 1536, by: 1) {
      let phase = Double(noise[harmonic]) * .pi
      let step = 2 * Double.pi * Double(harmonic) / 4096
      for frame in 0..<4096 { samples[frame] += cos(step * Double(frame) + phase) / 40 }
    }
    return samples.map(Float.init)
  }()
}
