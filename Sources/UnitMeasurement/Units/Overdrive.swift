import Foundation

extension MeasuredUnit {
  static let overdrive = MeasuredUnit(
    "aufx/drvs/bkln",
    figures: names.enumerated().map { model, name in
      Figure("Aliases of 5 kHz at -6 dBFS, half drive, \(name)", in: "dBc", .atMost(goals[model])) {
        try alias($0, model: model, drive: 50)
      }
    } + [
      Figure("The same at full drive, worst of all", in: "dBc", .atMost(-55)) { unit in
        try names.indices.map { try alias(unit, model: $0, drive: 100) }.max() ?? 0
      },
      Figure("Direct current at rest, worst of all", in: "dB", .atMost(-130)) { unit in
        try names.indices.map { model in
          let output = try unit.host(["model": Float(model), "drive": 100]).play(
            Signals.constant(0, frames: 4800))
          return Level.decibels(Double(output.map(abs).max() ?? 0) + 1e-12)
        }.max() ?? 0
      },
    ]
  ) { unit in
    Plot(
      "Output over input, half drive, 220 Hz", x: Plot.Axis("Input", -0.5...0.5, step: 0.25),
      y: Plot.Axis("Output", -0.6...0.6, step: 0.2),
      try names.enumerated().map { model, name in
        let host = try unit.host(["model": Float(model)])
        let sine = Signals.sine(frequency: 220, amplitude: 0.5, frames: 48_000)
        let output = host.play(sine)
        // One period.
        return Plot.Curve(
          name,
          stride(from: 40_000, to: 40_219, by: 2).map {
            Plot.Point(Double(sine[$0]), Double(output[$0 + host.latency]))
          })
      })
  }

  private static let names = [
    "Screamer", "Plus", "Rodent", "Gold", "Treble Boost", "Triode", "Op-Amp Clip", "Face",
    "Pi", "Breaker", "Octave",
  ]
  private static let goals = [-70.0, -90, -70, -85, -75, -100, -75, -58, -90, -80, -100]

  private static func alias(_ unit: BuiltInUnit, model: Int, drive: Float) throws -> Double {
    let sine = Signals.sine(frequency: 4978, amplitude: 0.5, frames: 18_000)
    let host = try unit.host(["model": Float(model), "drive": drive])
    return LineSpectrum(host.play(sine)).worstAlias(of: 4978)
  }
}
