import Foundation

extension MeasuredUnit {
  static let octaver = MeasuredUnit(
    "aufx/octv/bkln",
    figures: [
      Figure("Octave up of 220 Hz", in: "dB", .near(0, within: 1)) { unit in
        try level(of: unit, voice: "up", at: 440)
      },
      Figure("Octave down of 220 Hz", in: "dB", .near(0, within: 1)) { unit in
        try level(of: unit, voice: "down", at: 110)
      },
      Figure("Two octaves down of 220 Hz", in: "dB", .near(0, within: 1)) { unit in
        try level(of: unit, voice: "down_two", at: 55)
      },
      Figure("220 Hz left in its octaves", in: "dB", .atMost(-40)) { unit in
        let levels = try ["up", "down", "down_two"].map {
          try level(of: unit, voice: $0, at: 220)
        }
        return levels.max() ?? 0
      },
      Figure("Fifth on 294 Hz, octave up: intermodulation", in: "dBc", .atMost(-35), isLong: true) {
        try intermodulation(of: $0, voice: "up", root: 293.66, ratio: 2)
      },
      Figure("Fifth on 294 Hz, octave down: intermodulation", in: "dBc", .atMost(-35), isLong: true)
      {
        try intermodulation(of: $0, voice: "down", root: 293.66, ratio: 0.5)
      },
      Figure("Octave up of 110 Hz: time to half its level", in: "ms", .atMost(12)) { unit in
        try attack(of: unit, voice: "up", frequency: 110, turn: 0.125)
      },
      Figure("Octave down of 110 Hz: time to half its level", in: "ms", .atMost(12)) { unit in
        try attack(of: unit, voice: "down", frequency: 110, turn: 0.5)
      },
    ]
  ) { unit in
    let chord = chord([220, 277.18, 329.63], frames: 32_768)
    return Plot(
      "Spectrum of A major (220, 277 and 330 Hz), by voice", x: .frequency,
      y: .decibels(-72...0, step: 12, "Level"),
      try [("dry", "dry"), ("octave up", "up"), ("octave down", "down")].map { name, voice in
        Plot.Curve(
          name, LineSpectrum(try host(of: unit, voice: voice).play(chord)).curve(from: 50, to: 2000)
        )
      })
  }

  /// Creates an instance with one voice alone, or the dry sound.
  private static func host(of unit: BuiltInUnit, voice: String) throws -> UnitHost {
    try unit.host(["dry": -96, "down": -96].merging([voice: 0]) { $1 })
  }

  private static func chord(_ frequencies: [Double], frames: Int) -> [Float] {
    let sines = frequencies.map { Signals.sine(frequency: $0, amplitude: 0.25, frames: frames) }
    return (0..<frames).map { frame in sines.reduce(0) { $0 + $1[frame] } }
  }

  /// Returns the level of a frequency in a voice of 220 Hz, relative to the input, dB.
  private static func level(
    of unit: BuiltInUnit, voice: String, at frequency: Double
  ) throws -> Double {
    let output = try host(of: unit, voice: voice).play(chord([220], frames: 16_800))
    return Level.decibels(
      Spectrum.amplitude(Array(output.suffix(9600)), at: frequency) / 0.25)
  }

  /// Returns the level of the highest line that belongs to neither note, dBc.
  private static func intermodulation(
    of unit: BuiltInUnit, voice: String, root: Double, ratio: Double
  ) throws -> Double {
    let input = chord([root, 1.5 * root], frames: 49_152)
    let spectrum = LineSpectrum(try host(of: unit, voice: voice).play(input))
    let tones = [root * ratio, 1.5 * root * ratio]
    return spectrum.peak(from: 20, to: 20_000, except: tones) - spectrum.level(at: tones[0])
  }

  /// Returns the time until the envelope reaches half of its level, ms. The envelope is the
  /// magnitude of the voice and its quadrature, which is the voice for an input `turn` cycles
  /// later.
  private static func attack(
    of unit: BuiltInUnit, voice: String, frequency: Double, turn: Double
  ) throws -> Double {
    let outputs = try [0, turn].map { turn in
      try host(of: unit, voice: voice).play(
        (0..<2400).map { frame in
          Float(0.25 * sin(2 * .pi * (frequency * Double(frame) / 48_000 + turn)))
        })
    }
    let first = zip(outputs[0], outputs[1]).enumerated().first { _, pair in
      pair.0 * pair.0 + pair.1 * pair.1 >= 0.125 * 0.125
    }
    return Double(first?.offset ?? 2400) / 48
  }
}
