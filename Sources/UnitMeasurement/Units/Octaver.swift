import Foundation

extension MeasuredUnit {
  static let octaver = MeasuredUnit(
    "aufx/octv/bkln",
    figures: voices.map { name, voice, ratio in
      Figure("\(name) of a note and of a chord, farthest level", in: "dB", .atMost(0.5)) { unit in
        try levels(of: unit, voice: voice, ratio: ratio).map { abs($0) }.worst
      }
    } + [
      Figure("Level of the notes left in their own octaves", in: "dB", .atMost(-40)) { unit in
        try voices.flatMap { try levels(of: unit, voice: $0.identifier, ratio: 1) }.max() ?? 0
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

  private static let voices: [(name: String, identifier: String, ratio: Double)] = [
    ("Octave up", "up", 2), ("Octave down", "down", 0.5), ("Two octaves down", "down_two", 0.25),
  ]

  /// Creates an instance with one voice alone, or the dry sound.
  private static func host(of unit: BuiltInUnit, voice: String) throws -> UnitHost {
    try unit.host(["dry": -96, "down": -96].merging([voice: 0]) { $1 })
  }

  private static func chord(_ frequencies: [Double], frames: Int) -> [Float] {
    let sines = frequencies.map { Signals.sine(frequency: $0, amplitude: 0.25, frames: frames) }
    return (0..<frames).map { frame in sines.reduce(0) { $0 + $1[frame] } }
  }

  /// Returns the levels at `ratio` times each note in a voice of 220 Hz and of a chord, relative to
  /// the notes, dB.
  private static func levels(
    of unit: BuiltInUnit, voice: String, ratio: Double
  ) throws -> [Double] {
    try [[220.0], [400, 700, 1500, 4000]].flatMap { notes -> [Double] in
      let output = try host(of: unit, voice: voice).play(chord(notes, frames: 16_800))
      let settled = Array(output.suffix(9600))
      return notes.map { Level.decibels(Spectrum.amplitude(settled, at: $0 * ratio) / 0.25) }
    }
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
