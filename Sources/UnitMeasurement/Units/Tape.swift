import Foundation

extension MeasuredUnit {
  static let tape = MeasuredUnit(
    "aufx/tape/bkln", material: .chords,
    presetMaterial: ["Hot Drums": .drums, "Master 30": .mix],
    figures: [
      Figure("Loss at 10 kHz, 7.5 ips, 0.3, 5 and 2 µm", in: "dB", .near(-7.14, within: 0.2)) {
        unit in
        let response = try unit.host(plain.merging(head) { $1 }).impulse
        return Level.decibels(
          Spectrum.transform(response, at: 10_000).magnitude
            / Spectrum.transform(response, at: 100).magnitude)
      },
      Figure("Deviation of the pitch, wow 0.5 %", in: "%", .near(0.5, within: 0.01)) { unit in
        try deviation(unit, ["wow.depth": 0.5, "wow.rate": 2])
      },
      Figure("Deviation of the pitch, flutter 0.2 %", in: "%", .near(0.2, within: 0.004)) {
        unit in try deviation(unit, ["flutter.depth": 0.2, "flutter.rate": 10])
      },
      Figure("Aliases of 5 kHz, drive 24 dB", in: "dBc", .atMost(-90)) { unit in
        try alias(unit, ["drive": 24])
      },
      Figure("Aliases of 5 kHz, drive 24 dB, no bias", in: "dBc", .atMost(-90)) { unit in
        try alias(unit, ["drive": 24, "bias": 0])
      },
      Figure("Aliases of 5 kHz, drive 0 dB, no bias", in: "dBc", .atMost(-60)) { unit in
        try alias(unit, ["bias": 0])
      },
    ]
  ) { unit in
    Plot(
      "Harmonics of 1 kHz at -6 dB, drive 12 dB, by bias", x: .frequency,
      y: .decibels(-120...0, step: 20, "Level"),
      try ([0, 50, 100] as [Float]).map { bias in
        let host = try unit.host(plain.merging(["bias": bias, "drive": 12]) { $1 })
        let output = host.play(Signals.sine(frequency: 1000, amplitude: 0.5, frames: 48_000))
        return Plot.Curve("\(Int(bias)) %", LineSpectrum(output).curve())
      })
  }

  /// The parameters for a head with hardly any loss, and a steady transport.
  private static let plain: [String: Float] = [
    "speed": 3, "head.spacing": 0, "head.thickness": 1, "head.gap": 1, "wow.depth": 0,
    "flutter.depth": 0, "output": 0,
  ]
  private static let head: [String: Float] = [
    "speed": 1, "head.spacing": 0.3, "head.thickness": 5, "head.gap": 2, "bias": 100,
  ]

  private static func alias(_ unit: BuiltInUnit, _ parameters: [String: Float]) throws -> Double {
    let sine = Signals.sine(frequency: 4978, amplitude: 0.5, frames: 48_000)
    let output = try unit.host(plain.merging(parameters) { $1 }).play(sine)
    return LineSpectrum(output).worstAlias(of: 4978)
  }

  private static func deviation(_ unit: BuiltInUnit, _ parameters: [String: Float]) throws -> Double
  {
    let sine = Signals.sine(frequency: 4000, amplitude: 0.1, frames: 48_000)
    let output = try unit.host(plain.merging(parameters) { $1 }).play(sine)
    let phases = stride(from: 4800, to: output.count - 48, by: 48).map {
      Spectrum.transform(Array(output[$0..<$0 + 48]), at: 4000).phase
    }
    let shifts = zip(phases, phases.dropFirst()).map {
      ($1 - $0).remainder(dividingBy: 2 * Double.pi) / (2 * Double.pi) * 1000 / 4000 * 100
    }
    return ((shifts.max() ?? 0) - (shifts.min() ?? 0)) / 2
  }
}

extension UnitHost {
  /// The response to a quiet impulse, which the tape does not saturate.
  fileprivate var impulse: [Float] { play(Signals.impulse(amplitude: 1e-3, frames: 2048)) }
}
