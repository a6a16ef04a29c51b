import Foundation

extension MeasuredUnit {
  static let stretch = MeasuredUnit(
    "auol/strt/bkln", material: nil,
    figures: [
      Figure("Worst length of 1 s, six settings: error", in: "frames", .atMost(0)) { unit in
        let noise = Signals.noise(frames: 48_000)
        return try lengths.map { settings, frames in
          Double(abs(try unit.host(settings).renderOffline([noise])[0].count - frames))
        }.worst
      },
      pitchError("137 % of the length", ["stretch": 137], semitones: 0),
      pitchError("7 semitones up", ["pitch": 7], semitones: 7),
      pitchError("12 semitones down", ["pitch": -12], semitones: -12),
      purity("997 Hz, 7 semitones up", ["pitch": 7], 997, semitones: 7),
      sines(stretch: 50), sines(stretch: 137), sines(stretch: 200),
      Figure("Noise, twice as long: level", in: "dB", .near(0, within: 2)) { unit in
        let noise = Signals.noise(frames: 96_000)
        let output = try unit.host(["stretch": 200]).renderOffline([noise])[0]
        return Level.rms(output[48_000..<144_000]) - Level.rms(noise)
      },
      Figure(
        "A2–C♯3–E3, 150 %: partials beside the rest", in: "dB", .atLeast(20),
        peer: "Rubber Band R3: 12 dB"
      ) { unit in
        let output = try unit.host(["stretch": 150]).renderOffline([CloseChord.sound])[0]
        return CloseChord.clarity(of: output)
      },
      hits("75 %, material Music", ["stretch": 75], .atLeast(20), peer: "Rubber Band R3: 19 dB"),
      hits("150 %, material Music", ["stretch": 150], .atLeast(20), peer: "Rubber Band R3: 7 dB"),
      hits("150 %, material Drums", ["stretch": 150, "material": 2], .atLeast(14)),
      spread("Music", material: 0, .atMost(5)),
      spread("Drums", material: 2, .atMost(5)),
    ]
  ) { unit in
    let tone = Signals.harmonics(frames: 49_152)
    let output = try unit.host(["stretch": 150, "pitch": -5]).renderOffline([tone])[0]
    return Plot(
      "Spectrum of a tone of 220 Hz, half as long again and five semitones lower", x: .frequency,
      y: .decibels(-96...0, step: 12, "Level"),
      [
        Plot.Curve("input", LineSpectrum(tone).curve(from: 50, to: 5000)),
        Plot.Curve(
          "output",
          LineSpectrum(Array(output[12_000..<61_152])).curve(from: 50, to: 5000)),
      ])
  }

  /// The settings and the lengths, in frames, of a second.
  private static let lengths: [([String: Float], Int)] = [
    (["stretch": 137], 65_760), (["stretch": 50], 24_000), (["by": 1, "length": 1.25], 60_000),
    (["by": 2, "from_tempo": 120, "to_tempo": 90], 64_000), (["pitch": 7], 48_000),
    (["stretch": 10, "pitch": -12], 4800),
  ]

  private static func middle(
    _ unit: BuiltInUnit, _ settings: [String: Float], _ frequency: Double
  ) throws -> [Float] {
    let tone = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 60_000)
    let output = try unit.host(settings).renderOffline([tone])[0]
    return Array(output[output.count / 4..<output.count * 3 / 4])
  }

  private static func pitchError(
    _ name: String, _ settings: [String: Float], semitones: Double
  ) -> Figure {
    Figure("Pitch error, 220 Hz, \(name)", in: "cents", .near(0, within: 0.1)) { unit in
      Pitch.cents(
        from: 220 * pow(2, semitones / 12),
        to: Pitch.frequency(of: try middle(unit, settings, 220)))
    }
  }

  private static func purity(
    _ name: String, _ settings: [String: Float], _ frequency: Double, semitones: Double
  ) -> Figure {
    Figure("Sine beside its errors, \(name)", in: "dB", .atLeast(90)) { unit in
      let fit = try fit(unit, settings, frequency, semitones: semitones)
      return Level.decibels(fit.amplitude / 2.0.squareRoot() / fit.residual)
    }
  }

  /// Measures the worst of nine sines of amplitude 0.5: the rest beside the sine of the expected
  /// pitch, or the error of its amplitude.
  private static func sines(stretch: Float) -> Figure {
    Figure("Worst error of sines, \(Int(stretch)) %, -12 to 7 semitones", in: "dB", .atMost(-80)) {
      unit in
      try [Float(-12), 0, 7].flatMap { pitch in
        try [220.0, 997, 3000].map { frequency in
          let settings = ["stretch": stretch, "pitch": pitch]
          let fit = try fit(unit, settings, frequency, semitones: Double(pitch))
          return Level.decibels(max(abs(fit.amplitude - 0.5), fit.residual))
        }
      }.max() ?? .nan
    }
  }

  private static func fit(
    _ unit: BuiltInUnit, _ settings: [String: Float], _ frequency: Double, semitones: Double
  ) throws -> SineFit {
    SineFit(
      try middle(unit, settings, frequency), frequency: frequency * pow(2, semitones / 12),
      sampleRate: 48_000)
  }

  private static func hits(
    _ name: String, _ settings: [String: Float], _ goal: ClosedRange<Double>, peer: String? = nil
  ) -> Figure {
    Figure("Hits of noise, \(name): 5 ms beside the rest", in: "dB", goal, peer: peer) { unit in
      let output = try unit.host(settings).renderOffline([Hits.sound])[0]
      return Hits.sharpness(of: output, stretch: Double(settings["stretch"] ?? 100) / 100)
    }
  }

  /// Measures the length of a click stretched to 150 %: the time that holds 90 % of its energy.
  private static func spread(
    _ name: String, material: Float, _ goal: ClosedRange<Double>
  ) -> Figure {
    Figure("Click, 150 %, material \(name): 90 % of its energy", in: "ms", goal) { unit in
      var click = Signals.constant(0, frames: 24_000)
      click[12_000] = 1
      let output = try unit.host(["stretch": 150, "material": material]).renderOffline([click])[0]
      let energies = output.map { Double($0) * Double($0) }
      let total = energies.reduce(0, +)
      var (sum, first, last) = (0.0, 0, 0)
      for (frame, energy) in energies.enumerated() {
        sum += energy
        if sum < 0.05 * total { first = frame }
        if sum < 0.95 * total { last = frame }
      }
      return Double(last - first) / 48
    }
  }
}
