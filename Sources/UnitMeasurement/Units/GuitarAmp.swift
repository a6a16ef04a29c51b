import Foundation

extension MeasuredUnit {
  static let guitarAmp = MeasuredUnit(
    "aufx/gamp/bkln", presetMaterial: ["Bass Growl": .bass],
    figures: [(1245.0, -70.0), (4978, -45)].map { frequency, goal in
      Figure(
        "Aliases of \(Int(frequency)) Hz at -6 dBFS, full gain, worst of all", in: "dBc",
        .atMost(goal)
      ) { unit in
        let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 18_000)
        return try names.indices.map { model in
          let host = try unit.host(["model": Float(model), "gain": 100])
          return LineSpectrum(host.play(sine)).worstAlias(of: frequency)
        }.max() ?? 0
      }
    } + [
      Figure("Direct current at rest, worst of all", in: "dB", .atMost(-120)) { unit in
        try names.indices.map { model in
          let output = try unit.host(["model": Float(model), "gain": 100]).play(
            Signals.constant(0, frames: 4800))
          return Level.decibels(Double(output.map(abs).max() ?? 0) + 1e-12)
        }.max() ?? 0
      }
    ]
  ) { unit in
    Plot(
      "Gain over frequency, all knobs in the middle, quiet sound",
      x: .frequency, y: .decibels(-20...20, step: 10),
      try names.enumerated().map { model, name in
        let impulse = try unit.host(["model": Float(model)]).play(
          Signals.impulse(amplitude: 1e-3, frames: 19_200))
        return Plot.Curve(
          name,
          (0...120).map { step in
            let frequency = 20 * pow(1000, Double(step) / 120)
            return Plot.Point(
              frequency,
              Level.decibels(Spectrum.transform(impulse, at: frequency).magnitude / 1e-3))
          })
      })
  }

  private static let names = ["Tweed", "Blackface", "Plexi", "Lead"]
}
