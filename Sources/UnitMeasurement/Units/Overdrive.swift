import Foundation

extension MeasuredUnit {
  static let overdrive = MeasuredUnit(
    "aufx/drvs/bkln",
    figures: circuits.indices.flatMap { model in
      [
        aliases(of: model, drive: 50, goal: circuits[model].half),
        aliases(of: model, drive: 100, goal: circuits[model].full),
      ]
    } + [
      Figure("Silence before a sound and after a reset, full drive", in: "dB", .atMost(-130)) {
        try silence(of: $0, drive: 100, biases: [50])
      },
      Figure(
        "Silence before a sound and after a reset, 80 % of drive, least and most bias", in: "dB",
        .atMost(-140)
      ) {
        try silence(of: $0, drive: 80, biases: [0, 100])
      },
    ]
  ) { unit in
    Plot(
      "Output over input, half drive, 220 Hz", x: Plot.Axis("Input", -0.5...0.5, step: 0.25),
      y: Plot.Axis("Output", -0.6...0.6, step: 0.2),
      try circuits.enumerated().map { model, circuit in
        let host = try unit.host(["model": Float(model)])
        let sine = Signals.sine(frequency: 220, amplitude: 0.5, frames: 48_000)
        let output = host.play(sine)
        // One period.
        return Plot.Curve(
          circuit.name,
          stride(from: 40_000, to: 40_219, by: 2).map {
            Plot.Point(Double(sine[$0]), Double(output[$0 + host.latency]))
          })
      })
  }

  /// The circuits, with their goals for aliases at half and at full drive, dBc.
  private static let circuits: [(name: String, half: Double, full: Double)] = [
    ("Screamer", -72, -65), ("Plus", -90, -75), ("Rodent", -70, -68), ("Gold", -85, -73),
    ("Treble Boost", -76, -66), ("Triode", -100, -67), ("Op-Amp Clip", -78, -58),
    ("Face", -58, -55), ("Pi", -90, -80), ("Breaker", -80, -75), ("Octave", -100, -55),
  ]

  private static func aliases(of model: Int, drive: Int, goal: Double) -> Figure {
    Figure(
      "Aliases of 5 kHz at -6 dBFS, \(drive) % of drive, \(circuits[model].name)", in: "dBc",
      .atMost(goal)
    ) { unit in
      let sine = Signals.sine(frequency: 4978, amplitude: 0.5, frames: 18_000)
      let host = try unit.host(["model": Float(model), "drive": Float(drive)])
      return LineSpectrum(host.play(sine)).worstAlias(of: 4978)
    }
  }

  /// Returns the loudest level of any circuit at rest, dB.
  private static func silence(
    of unit: BuiltInUnit, drive: Float, biases: [Float]
  ) throws -> Double {
    try circuits.indices.flatMap { model -> [Double] in
      try biases.map { bias in
        let host = try unit.host(["model": Float(model), "drive": drive, "bias": bias])
        let before = Level.peak(host.play(Signals.constant(0, frames: 2400)))
        _ = host.play(Signals.sine(frequency: 300, frames: 2400))
        host.reset()
        return max(before, Level.peak(host.play(Signals.constant(0, frames: 2400))))
      }
    }.max() ?? 0
  }
}
