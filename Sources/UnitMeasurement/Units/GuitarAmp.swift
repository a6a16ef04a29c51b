import Foundation

extension MeasuredUnit {
  static let guitarAmp = MeasuredUnit(
    "aufx/gamp/bkln", presetMaterial: ["Bass Growl": .bass],
    figures: names.indices.flatMap { model in
      [
        aliases(of: 1245, model: model, goal: aliasGoals[model].0),
        aliases(of: 4978, model: model, goal: aliasGoals[model].1),
      ]
    } + [
      Figure("Silence before a sound and after a reset, worst of all", in: "dB", .atMost(-120)) {
        unit in
        try names.indices.map { model in
          let host = try unit.host(["model": Float(model), "gain": 100])
          let before = Level.peak(host.play(Signals.constant(0, frames: 4800)))
          _ = host.play(Signals.sine(frequency: 300, frames: 2400))
          host.reset()
          return max(before, Level.peak(host.play(Signals.constant(0, frames: 2400))))
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
  /// Each amp's goals at 1245 and at 4978 Hz, dBc.
  private static let aliasGoals = [(-110.0, -75.0), (-110, -80), (-78, -54), (-70, -45)]

  private static func aliases(of frequency: Double, model: Int, goal: Double) -> Figure {
    Figure(
      "Aliases of \(Int(frequency)) Hz at -6 dBFS, full gain, \(names[model])", in: "dBc",
      .atMost(goal)
    ) { unit in
      let host = try unit.host(["model": Float(model), "gain": 100])
      let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 18_000)
      return LineSpectrum(host.play(sine)).worstAlias(of: frequency)
    }
  }
}
