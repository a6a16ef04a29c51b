import Foundation

extension MeasuredUnit {
  static let deEsser = MeasuredUnit(
    "aufx/dees/bkln", material: .voice,
    figures: [
      Figure("Hiss around 8 kHz", in: "dB", .near(-8, within: 1)) { unit in
        try change(of: hiss(amplitude: 0.2), by: unit)
      },
      Figure("The same, 30 dB softer", in: "dB", .near(-8, within: 1)) { unit in
        try change(of: hiss(amplitude: 0.2 / 31.6), by: unit)
      },
      Figure("A sawtooth of 120 Hz, as a vowel", in: "dB", .near(0, within: 0.1)) { unit in
        let saw = (0..<14_400).map { Float($0 % 400) / 400 - 0.5 }
        return try change(of: saw, by: unit)
      },
      Figure("Ripple of both bands together", in: "dB", .near(0, within: 0.01)) { unit in
        let response = FrequencyResponse(try unit.host(["range": 0]))
        let gains = [50, 1000, 4000, 8000, 20_000].map { response.gain(at: $0) }
        return gains.max { abs($0) < abs($1) } ?? 0
      },
    ]
  ) { unit in
    Plot(
      "Gain while it turns down, by range", x: .frequency, y: .decibels(-24...6, step: 6),
      try ([4, 8, 16] as [Float]).map { range in
        Plot.Curve("\(Int(range)) dB", try gains(of: unit, range: range))
      })
  }

  /// Returns the gain at frequencies up to 16 kHz, of sines below a hiss that keeps the de-esser
  /// active.
  private static func gains(of unit: BuiltInUnit, range: Float) throws -> [Plot.Point] {
    try stride(from: 5.0, through: 14, by: 0.5).map { octave in
      // Use whole periods in the measured segment, so that the hiss does not leak into it.
      let frequency = (1600 * pow(2, octave - 14)).rounded() * 10
      let frames = 9600
      let hiss = Signals.sine(frequency: 17_500, amplitude: 0.5, frames: frames)
      let tone = Signals.sine(frequency: frequency, amplitude: 0.01, frames: frames)
      let input = zip(hiss, tone).map { $0 + $1 }
      let output = try unit.host(["range": range]).play(input)
      let settled = Array(output.suffix(4800))
      let gain = Spectrum.transform(settled, at: frequency, sampleRate: 48_000).magnitude
      return Plot.Point(frequency, Level.decibels(gain / 2400 / 0.01))
    }
  }

  private static func change(of input: [Float], by unit: BuiltInUnit) throws -> Double {
    let half = input.count / 2
    return Level.rms(try unit.host().play(input).suffix(half)) - Level.rms(input.suffix(half))
  }

  /// Returns many sines around 8 kHz.
  private static func hiss(amplitude: Double) -> [Float] {
    let frequencies = Array(stride(from: 6600.0, to: 10_000, by: 131))
    return (0..<9600).map { frame -> Float in
      let turn = 2 * Double.pi * Double(frame) / 48_000
      let sum = frequencies.reduce(0.0) { $0 + sin(turn * $1 + $1 * $1) }
      return Float(amplitude / 5 * sum)
    }
  }
}
