import Foundation

extension MeasuredUnit {
  static let transientShaper = MeasuredUnit(
    "aufx/tran/bkln", material: .drums,
    presetMaterial: ["Piano Felt": .chords, "Picked Guitar": .guitar],
    figures: [
      Figure("Gain of a beginning, attack 15 dB", in: "dB", .near(15, within: 0.2)) { unit in
        Level.peak(try unit.host(["attack": 15]).play(Signals.constant(1, frames: 48)))
      },
      Figure("Gain of a stroke that rings on, sustain -15 dB", in: "dB", .near(-15, within: 0.2)) {
        unit in
        let output = try unit.host(["sustain": -15]).play(stroke(1))
        return Level.decibels(Double(output[9600] / stroke(1)[9600]))
      },
      Figure("Difference of gain over 40 dB of level", in: "dB", .atMost(0.2)) { unit in
        let settings: [String: Float] = ["attack": 12, "sustain": -12]
        let loud = try unit.host(settings).play(stroke(1))
        let soft = try unit.host(settings).play(stroke(0.01))
        return zip(loud, soft).prefix(9600).map { abs(Level.decibels(Double($0 / $1)) - 40) }.max()
          ?? 0
      },
      Figure("Change of a steady 40 Hz, both at 15 dB", in: "dB", .near(0, within: 0.05)) { unit in
        let sine = Signals.sine(frequency: 40, frames: 96_000)
        let output = try unit.host(["attack": 15, "sustain": 15]).play(sine).suffix(24_000)
        return Level.decibels(
          SineFit(output, frequency: 40, sampleRate: 48_000).amplitude)
      },
    ]
  ) { unit in
    Plot(
      "Level of a drum stroke of 60 dB in 0.5 s, by setting", x: .seconds(0.4, step: 0.1),
      y: .decibels(-72...12, step: 12, "Level"),
      try [
        ("as it is", 0, 0), ("attack 12 dB", 12, 0), ("sustain 12 dB", 0, 12),
        ("sustain -12 dB", 0, -12),
      ].map { name, attack, sustain in
        let host = try unit.host(["attack": Float(attack), "sustain": Float(sustain)])
        return Plot.Curve(name, Plot.Point.levels(of: host.play(stroke(0.5)), window: 0.005))
      })
  }

  /// A tone that decays by 60 dB in 0.5 s.
  private static func stroke(_ amplitude: Float) -> [Float] {
    (0..<19_200).map { frame in
      amplitude * Float(exp(-Double(frame) / 3474) * cos(2 * .pi * 200.3 * Double(frame) / 48_000))
    }
  }
}
