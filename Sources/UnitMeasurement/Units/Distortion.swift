import BacklineTestSupport

extension MeasuredUnit {
  static let distortion = MeasuredUnit(
    "aufx/dist/bkln",
    presetMaterial: [
      "Drum Crunch": .drums, "Drum Smash": .drums, "Drum Fold": .drums, "Broken Radio": .voice,
      "Metal Voice": .voice, "Alien Chatter": .voice,
    ],
    figures: [
      Figure("Highest alias of 1245 Hz, soft, drive 24 dB", in: "dBc", .atMost(-75)) { unit in
        let host = try unit.host(["drive": 24, "tone": 20_000])
        return LineSpectrum(host.play(Signals.sine(frequency: 1245, frames: 20_000)))
          .worstAlias(of: 1245)
      },
      Figure("Highest alias of 4978 Hz, hard, drive 24 dB, Live", in: "dBc", .atMost(-60)) { unit in
        let host = try unit.host(["drive": 24, "tone": 20_000, "shape": 1])
        return LineSpectrum(
          host.play(Signals.sine(frequency: 4978, amplitude: 0.5, frames: 20_000))
        ).worstAlias(of: 4978)
      },
      Figure("Highest alias of 4978 Hz, hard, drive 40 dB, High", in: "dBc", .atMost(-90)) { unit in
        let host = try unit.host(["drive": 40, "tone": 20_000, "shape": 1, "quality": 1])
        return LineSpectrum(
          host.play(Signals.sine(frequency: 4978, amplitude: 0.5, frames: 20_000))
        ).worstAlias(of: 4978)
      },
      Figure("Direct current behind a cut sine, drive 20 dB", in: "dB", .atMost(-100)) { unit in
        let halves = Signals.sine(frequency: 100, frames: 38_400).map { max($0, -0.1) }
        let output = try unit.host(["drive": 20]).play(halves).suffix(4800)
        return Level.decibels(output.map(Double.init).reduce(0, +) / 4800)
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
}
