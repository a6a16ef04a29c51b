import Foundation

extension MeasuredUnit {
  static let distortion = MeasuredUnit(
    "aufx/dist/bkln",
    presetMaterial: [
      "Bass Growl": .bass,
      "Drum Crunch": .drums, "Drum Smash": .drums, "Drum Fold": .drums, "Broken Radio": .voice,
      "Metal Voice": .voice, "Alien Chatter": .voice,
    ],
    figures: [
      Figure("Highest alias of three sines, Live, drive 24 dB", in: "dBc", .atMost(-75)) {
        try worstAlias($0, drives: [24], quality: 0)
      },
      Figure("Highest alias of three sines, High, drive to 40 dB", in: "dBc", .atMost(-90)) {
        try worstAlias($0, drives: [24, 40], quality: 1)
      },
      Figure("Sum of the aliases of a full sine, Live, drive to 48 dB", in: "dBc", .atMost(-48)) {
        unit in
        let settings: [(Float, Float)] = [(0, 24), (0, 48), (1, 48), (2, 18)]
        return try settings.map { try aliasSum(unit, shape: $0, drive: $1) }.max() ?? 0
      },
      Figure(
        "Direct current behind a cut sine, drive 20 dB, Live and High", in: "dB", .atMost(-100)
      ) { unit in
        let halves = Signals.sine(frequency: 100, frames: 38_400).map { max($0, -0.1) }
        let means = try ([0, 1] as [Float]).map { quality -> Double in
          let host = try unit.host([
            "drive": 20, "quality": quality, "tone": 20_000, "level": 0,
          ])
          let output = host.play(halves).suffix(4800)
          guard Level.peak(output) > -6 else { return .infinity }
          return output.map(Double.init).reduce(0, +) / 4800
        }
        return Level.decibels(Deviation.worst(means))
      },
      Figure("Gain of soft sound at a drive of 0 dB", in: "dB", .near(0, within: 0.1)) { unit in
        let host = try unit.host(["drive": 0, "tone": 20_000, "level": 0])
        return Level.decibels(
          SineFit(
            host.play(Signals.sine(frequency: 440, amplitude: 0.01, frames: 9600)).suffix(4800),
            frequency: 440, sampleRate: 48_000
          ).amplitude / 0.01)
      },
    ]
  ) { unit in
    let frames = 9600
    let ramp = (0..<frames).map { Float($0) / Float(frames / 2) - 1 }
    return Plot(
      "Output over input, drive 12 dB, by shape", x: Plot.Axis("Input", -1...1, step: 0.5),
      y: Plot.Axis("Output", -1.5...1.5, step: 0.5),
      try ["Soft", "Hard", "Fold"].enumerated().map { shape, name in
        let host = try unit.host(["drive": 12, "tone": 20_000, "level": 0, "shape": Float(shape)])
        let output = host.play(ramp)
        return Plot.Curve(
          name,
          stride(from: 240, to: frames - host.latency, by: 40).map {
            Plot.Point(Double(ramp[$0]), Double(output[$0 + host.latency]))
          })
      })
  }

  /// Returns the worst alias of all shapes, for sines of 1245, 2489 and 4978 Hz at -6 dBFS, dBc.
  private static func worstAlias(_ unit: BuiltInUnit, drives: [Float], quality: Float) throws
    -> Double
  {
    var worst = -Double.infinity
    for frequency in [1245.0, 2489, 4978] {
      let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 17_000)
      for drive in drives {
        for shape in 0..<3 {
          let host = try unit.host([
            "drive": drive, "tone": 20_000, "shape": Float(shape), "quality": quality,
          ])
          worst = max(worst, LineSpectrum(host.play(sine)).worstAlias(of: frequency))
        }
      }
    }
    return worst
  }

  /// Returns the sum of the aliases of a full sine, dBc.
  private static func aliasSum(_ unit: BuiltInUnit, shape: Float, drive: Float) throws -> Double {
    let sine = Signals.sine(frequency: AliasSum.fundamental, frames: 20 * AliasSum.frames)
    let host = try unit.host(["drive": drive, "shape": shape, "tone": 20_000])
    return AliasSum.level(host.play(sine))
  }
}
