import BacklineTestSupport
import Foundation

extension MeasuredUnit {
  static let reverb = MeasuredUnit(
    "aufx/rvrb/bkln",
    presetMaterial: [
      "Drum Room": .drums, "Gated 80s": .drums, "Vocal Booth": .voice, "Chamber": .voice,
      "Vocal Plate": .voice, "Gold Plate": .voice, "Large Hall": .chords, "Cathedral": .chords,
      "Ambient Wash": .chords, "Shimmer": .chords, "Endless": .chords,
    ],
    figures: [
      density("Room", at: 0.05), density("Hall", at: 0.08), density("Plate", at: 0.05),
      Figure(
        "T30 at a decay of 1.5 s, the same at all frequencies", in: "s", .near(1.5, within: 0.075)
      ) {
        unit in
        let host = try late(unit, ["decay": 1.5, "low_decay": 1, "high_decay": 1])
        return Decay(of: impulse(host, seconds: 1.8)[0], sampleRate: 16_000).t30
      },
      Figure("Level of 1.8 s, against the input", in: "dB", .near(0, within: 1)) { unit in
        let host = try late(unit, ["decay": 1.8, "low_decay": 1, "high_decay": 1])
        // One of two input channels, at half of the energy.
        return 10 * log10(2 * energy(impulse(host, seconds: 1.8)[0]))
      },
      Figure("Correlation of the sides", in: "", .near(0, within: 0.15)) { unit in
        let sides = impulse(try late(unit, ["decay": 1]), seconds: 1)
        let product = zip(sides[0], sides[1]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        return product / (energy(sides[0]) * energy(sides[1])).squareRoot()
      },
      Figure("Level after a minute of freeze", in: "dB", .near(0, within: 0.5), isLong: true) {
        unit in
        let host = try late(unit, ["decay": 2, "depth": 50, "rate": 1])
        let noise = Signals.noise(frames: 16_000)
        let input = noise + [Float](repeating: 0, count: 62 * 16_000)
        let output = host.play(
          [input, input], events: [.parameter(host.address("freeze"), 1, at: 16_000)])[0]
        return Level.rms(output.suffix(32_000)) - Level.rms(output[32_000..<64_000])
      },
    ]
  ) { unit in
    let kinds: [(String, Float, Float)] = [
      ("room, 0.5 s", 0, 0.5), ("chamber, 1 s", 1, 1), ("plate, 1.5 s", 3, 1.5),
      ("hall, 2.2 s", 2, 2.2),
    ]
    return Plot(
      "Energy still to come after an impulse, by type and decay", x: .seconds(2, step: 0.5),
      y: .decibels(-60...0, step: 10, "Energy"),
      try kinds.map { name, type, decay in
        let host = try late(unit, ["type": type, "decay": decay, "early": -6])
        let decaying = Decay(of: impulse(host, seconds: 3)[0], sampleRate: 16_000)
        return Plot.Curve(name, decaying.points(480).filter { $0.x <= 2 && $0.y >= -60 })
      })
  }

  private static func energy(_ samples: [Float]) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// The reverb without its first reflections.
  private static func late(
    _ unit: BuiltInUnit, sampleRate: Double = 16_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    let alone: [String: Float] = [
      "mix": 100, "pre_delay": 0, "early": -96, "low_cut": 10, "high_cut": 20_000,
    ]
    return try unit.host(
      channels: 2, sampleRate: sampleRate, alone.merging(parameters) { $1 })
  }

  /// Both sides of what an impulse on the left gives.
  private static func impulse(_ host: UnitHost, seconds: Double) -> [[Float]] {
    let frames = Int(seconds * host.sampleRate)
    return host.play([Signals.impulse(frames: frames), [Float](repeating: 0, count: frames)])
  }

  /// The mean of both sides and of five sizes: the measure's own spread is large.
  private static func density(_ type: String, at time: Double) -> Figure {
    let name = "Echo density at \(Int(time * 1000)) ms, \(type.lowercased())"
    return Figure(name, in: "", .atLeast(0.9)) { unit in
      let index: Float = ["Room": 0, "Chamber": 1, "Hall": 2, "Plate": 3][type] ?? 0
      let densities = try ([0.8, 0.9, 1, 1.1, 1.2] as [Float]).flatMap { size in
        let host = try late(unit, sampleRate: 48_000, ["type": index, "size": size])
        return impulse(host, seconds: time + 0.011).map { EchoDensity.normalised($0, at: time) }
      }
      return densities.reduce(0, +) / Double(densities.count)
    }
  }
}
