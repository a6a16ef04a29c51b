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
      density("Room", at: 0.05), density("Chamber", at: 0.05), density("Plate", at: 0.05),
      density("Hall", at: 0.05),
      Figure(
        "Decay of the worst octave, 125 Hz to 8 kHz, 0.3 to 3 s, mean of types and sizes: error",
        in: "%", .atMost(5),
        isLong: true, measure: worstOctave),
      Figure(
        "Worst decay with the low at 1.5 and the high at 0.5 of it: error", in: "%", .atMost(5),
        measure: worstShelf),
      Figure(
        "T30 at a decay of 1.5 s, the same at all frequencies", in: "s", .near(1.5, within: 0.075)
      ) {
        unit in
        let host = try late(unit, ["decay": 1.5, "low_decay": 1, "high_decay": 1])
        return Decay(of: impulse(host, seconds: 1.8)[0], sampleRate: 16_000).t30
      },
      Figure(
        "T30 at a decay of 0.3 s and size 2, the same at all frequencies", in: "s",
        .near(0.3, within: 0.015)
      ) { unit in
        let host = try late(
          unit, ["decay": 0.3, "size": 2, "type": 3, "low_decay": 1, "high_decay": 1])
        return Decay(of: impulse(host, seconds: 0.6)[0], sampleRate: 16_000).t30
      },
      Figure(
        "Spectrum of the tail, standard deviation (Rayleigh: 5.57 dB)", in: "dB",
        .near(5.6, within: 0.4), measure: colour),
      level("1.8 s", decay: 1.8, size: 1, within: 1), level("3 s", decay: 3, size: 1, within: 1),
      level("0.2 s and size 2", decay: 0.2, size: 2, within: 2.5),
      Figure(
        "Worst correlation of the sides of a room and a hall, 0.2 to 3 s", in: "", .atMost(0.2)
      ) { unit in
        try [(1.8, Float(1)), (3, 1), (0.2, 2)].flatMap { decay, size -> [Double] in
          try roomAndHall(unit, decay: decay, size: size).map { sides in
            Correlation.coefficient(sides[0].map(Double.init), sides[1].map(Double.init))
          }
        }.worst
      },
      Figure("Loss of the sides' sum", in: "dB", .atMost(3.5)) { unit in
        let sides = impulse(try late(unit, ["decay": 1]), seconds: 1)
        let sum = zip(sides[0], sides[1]).map { $0 + $1 }
        return 10 * log10(2 * Level.energy(sides.joined()) / Level.energy(sum))
      },
      // A tone that stands does not beat against its octave.
      Figure(
        "Pitch of the shimmer, an octave or a fifth above 220 Hz: worst error", in: "cents",
        .atMost(1)
      ) { unit in
        try [440, 220 * pow(2, 7 / 12.0)].enumerated().map { interval, frequency in
          let host = try late(
            unit, ["decay": 1, "shimmer": 100, "interval": Float(interval), "depth": 0])
          let sine = Signals.sine(frequency: 220, sampleRate: 16_000, frames: 48_000)
          let spectrum = LineSpectrum(host.play([sine, sine])[0], sampleRate: 16_000)
          return Pitch.cents(from: frequency, to: spectrum.frequency(near: frequency))
        }.worst
      },
      Figure("Size, type and decay moved on 1 kHz: farther than 1 kHz off", in: "dBc", .atMost(-80))
      {
        unit in
        try [("size", 0.3), ("type", 3), ("decay", 0.2)].map { (knob: String, value: Float) in
          try unit.host(channels: 2, ["mix": 100]).spur(moving: knob, to: value, channels: 2)
        }.max() ?? 0
      },
      Figure("Change of level over four seconds of freeze", in: "dB", .near(0, within: 0.5)) {
        unit in
        let host = try late(unit, ["decay": 2, "depth": 50, "rate": 1])
        let noise = Signals.noise(frames: 16_000)
        let input = noise + [Float](repeating: 0, count: 7 * 16_000)
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

  /// Returns the greatest error of the mean over all types, sizes of 0.5, 1 and 2 and both sides,
  /// of a decay that is the same at all frequencies.
  private static func worstOctave(_ unit: BuiltInUnit) throws -> Double {
    var worst = 0.0
    for decay in [0.3, 1.0, 3.0] {
      let settings = (0..<4).flatMap { type in
        ([0.5, 1, 2] as [Float]).map {
          [
            "type": Float(type), "size": $0, "decay": Float(decay), "low_decay": 1, "high_decay": 1,
          ]
        }
      }
      let sounds = try settings.flatMap {
        impulse(try late(unit, sampleRate: 24_000, $0), seconds: 1.1 * decay + 0.4)
      }
      for frequency in [125.0, 250, 500, 1000, 2000, 4000, 8000] {
        let times = sounds.map { Decay(of: $0, around: frequency, sampleRate: 24_000).t30 }
        let mean = times.reduce(0, +) / Double(times.count)
        worst = max(worst, abs(mean / decay - 1))
      }
    }
    return 100 * worst
  }

  /// Returns the greatest error of the mean of three sizes and both sides, of decays with shelves.
  /// Decay rates add: the middle's, and the shelves' by first-order filters at their frequencies.
  private static func worstShelf(_ unit: BuiltInUnit) throws -> Double {
    let cases: [(type: Float, size: Float, decay: Double)] = [
      (0, 1, 1), (2, 1, 1.5), (3, 1, 1.2), (1, 2, 0.5), (3, 2, 0.4),
    ]
    return try cases.flatMap { type, size, decay -> [Double] in
      let sounds = try ([0.9, 1, 1.1] as [Float]).flatMap { other in
        let host = try late(
          unit,
          [
            "type": type, "size": size * other, "decay": Float(decay), "low_decay": 1.5,
            "low_frequency": 250, "high_decay": 0.5, "high_frequency": 4000,
          ])
        return impulse(host, seconds: 1.1 * decay + 0.2)
      }
      return [250.0, 1000, 3500].map { frequency in
        func square(_ corner: Double) -> Double {
          pow(tan(.pi * frequency / 16_000) / tan(.pi * corner / 16_000), 2)
        }
        let low: Double = (1 / 1.5 - 1) / (1 + square(250))
        let high: Double = (1 / 0.5 - 1) * square(4000) / (1 + square(4000))
        let times = sounds.map { Decay(of: $0, around: frequency, sampleRate: 16_000).lineT30 }
        let mean = times.reduce(0, +) / Double(times.count)
        return 100 * abs(mean * (1 + low + high) / decay - 1)
      }
    }.worst
  }

  /// Returns the spectral deviation of 100 to 600 ms after an impulse, with the decay removed, 200
  /// to 7500 Hz; the mean of all types at three sizes, dB.
  private static func colour(_ unit: BuiltInUnit) throws -> Double {
    let settings = (0..<4).flatMap { type in
      ([0.9, 1, 1.1] as [Float]).map { ["type": Float(type), "size": $0] }
    }
    let deviations = try settings.flatMap { setting in
      let plain: [String: Float] = ["low_decay": 1, "high_decay": 1]
      let host = try late(unit, plain.merging(setting) { $1 })
      return impulse(host, seconds: 0.6).map { side in
        let part = side[1600..<9600].enumerated().map {
          Double($1) * pow(10, 3 * Double($0) / 16_000 / 1.8)
        }
        let padded = part + [Double](repeating: 0, count: 192)
        let levels = FourierTransform.magnitudes(padded)[102..<3840].map(Level.decibels)
        let mean = levels.reduce(0, +) / Double(levels.count)
        return (levels.reduce(0) { $0 + pow($1 - mean, 2) } / Double(levels.count)).squareRoot()
      }
    }
    return deviations.reduce(0, +) / Double(deviations.count)
  }

  /// Measures the level of both sides in a room and a hall beside the input's, without the decay's
  /// part of it.
  private static func level(
    _ name: String, decay: Double, size: Float, within error: Double
  ) -> Figure {
    Figure("Worst level of \(name), beside 1.8 s", in: "dB", .atMost(error)) { unit in
      try roomAndHall(unit, decay: decay, size: size).joined().map {
        // One of two input channels carries half of the energy.
        10 * log10(2 * Level.energy($0) * 1.8 / decay)
      }.worst
    }
  }

  /// Returns both sides of the responses of a room and of a hall.
  private static func roomAndHall(
    _ unit: BuiltInUnit, decay: Double, size: Float
  ) throws -> [[[Float]]] {
    try [Float(0), 2].map { type in
      let settings: [String: Float] = [
        "type": type, "size": size, "decay": Float(decay), "low_decay": 1, "high_decay": 1,
      ]
      return impulse(try late(unit, sampleRate: 8000, settings), seconds: decay + 0.2)
    }
  }

  /// Creates the reverb without its early reflections.
  private static func late(
    _ unit: BuiltInUnit, sampleRate: Double = 16_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    try unit.host(
      channels: 2, sampleRate: sampleRate, LateReverb.alone.merging(parameters) { $1 })
  }

  /// Returns both sides of the response to an impulse on the left.
  private static func impulse(_ host: UnitHost, seconds: Double) -> [[Float]] {
    let frames = Int(seconds * host.sampleRate)
    return host.play([Signals.impulse(frames: frames), [Float](repeating: 0, count: frames)])
  }

  /// Measures the echo density with early reflections; the mean of both sides and of five sizes,
  /// since the measure's own spread is large.
  private static func density(_ type: String, at time: Double) -> Figure {
    let name = "Echo density at \(Int(time * 1000)) ms, \(type.lowercased())"
    return Figure(name, in: "", .atLeast(0.9)) { unit in
      let index: Float = ["Room": 0, "Chamber": 1, "Hall": 2, "Plate": 3][type] ?? 0
      let densities = try ([0.8, 0.9, 1, 1.1, 1.2] as [Float]).flatMap { size in
        let host = try late(
          unit, sampleRate: 48_000, ["type": index, "size": size, "early": 0])
        return impulse(host, seconds: time + 0.011).map { EchoDensity.normalised($0, at: time) }
      }
      return densities.reduce(0, +) / Double(densities.count)
    }
  }
}

/// The late sound of the reverb.
package enum LateReverb {
  /// The parameters with which it alone is heard, with the cuts open.
  package static let alone: [String: Float] = [
    "mix": 100, "pre_delay": 0, "early": -96, "low_cut": 10, "high_cut": 20_000,
  ]
}
