import Foundation

extension MeasuredUnit {
  static let granulator = MeasuredUnit(
    "aufx/gran/bkln", material: .guitar,
    presetMaterial: ["Smear": .chords, "Frozen Pad": .chords],
    figures: [
      Figure("A grain an octave up: its tone beside it", in: "dB", .near(0, within: 0.1)) { unit in
        let host = try unit.host([
          "mix": 100, "pitch": 12, "spray": 0, "size": 1000, "density": 1, "jitter": 0,
          "position": 2,
        ])
        let output = host.play(Signals.sine(frequency: 600, frames: 240_000))
        // A Hann window halves the amplitude.
        return Level.decibels(
          2 * Spectrum.amplitude(Array(output[192_000...]), at: 1200))
      },
      Figure(
        "A frozen spectrum: farthest third of an octave, 0.5 to 16 kHz", in: "dB",
        .atMost(0.5)
      ) { unit in
        let (input, output) = try frozen(by: unit, seconds: 12)
        let reference = BandSpectrum.curve(of: [input])
        let bands = zip(reference, BandSpectrum.curve(of: [output]))
        return bands.filter { (500...16_000).contains($0.0.x) }.map { abs($0.0.y - $0.1.y) }
          .max() ?? .infinity
      },
      Figure("Seconds of a frozen minute, loudest beside softest", in: "dB", .atMost(0.5)) { unit in
        let output = try frozen(by: unit, seconds: 60).output
        let levels = stride(from: 0, to: output.count, by: 48_000).map {
          Level.rms(output[$0..<$0 + 48_000])
        }
        return (levels.max() ?? 0) - (levels.min() ?? 0)
      },
      Figure("A frozen spectrum: its autocorrelation from 0.4 s on, at most", in: "", .atMost(0.2))
      { unit in
        let output = try frozen(by: unit, seconds: 30).output
        let start = output.prefix(24_000)
        let energy = start.reduce(0.0) { $0 + Double($1 * $1) }
        return (5...200).map { lag in
          abs(zip(start, output[(lag * 4096)...]).reduce(0.0) { $0 + Double($1.0 * $1.1) }) / energy
        }.max() ?? 1
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

  /// Returns many sines, four bins of the transform apart, so that any window of them has the same
  /// spectrum, and the frozen output.
  private static func frozen(by unit: BuiltInUnit, seconds: Int) throws -> (
    input: [Float], output: [Float]
  ) {
    let input = (0..<96_000).map { 0.2 * period[$0 % period.count] }
    let host = try unit.host(["mix": 100, "engine": 1, "spray": 0, "position": 0.1])
    let event = UnitHost.Event.parameter(host.address("freeze"), 1, at: 95_000)
    _ = host.play(input, events: [event])
    _ = host.render(frames: 48_000)
    return (input, host.render(frames: seconds * 48_000)[0])
  }

  /// One period of the multiples 8 to 1535 of 48000 / 4096 Hz, with equal amplitudes and random phases.
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
