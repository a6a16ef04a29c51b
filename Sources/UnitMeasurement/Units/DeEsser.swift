import Foundation

extension MeasuredUnit {
  static let deEsser = MeasuredUnit(
    "aufx/dees/bkln", material: .voice,
    figures: [
      Figure("Change of level of hiss around 8 kHz", in: "dB", .near(-8, within: 1)) { unit in
        try change(of: hiss(amplitude: 0.2), by: unit)
      },
      Figure(
        "Change of level of hiss around 8 kHz, 30 dB softer", in: "dB", .near(-8, within: 1)
      ) { unit in
        try change(of: hiss(amplitude: 0.2 / 31.6), by: unit)
      },
      Figure(
        "Change of level of hiss, loud and soft, range 16, threshold -20 dB: farthest from -16 dB",
        in: "dB", .atMost(3)
      ) { unit in
        try [0.2, 0.2 / 31.6].map { amplitude -> Double in
          let hiss = hiss(amplitude: amplitude)
          return try change(of: hiss, by: unit, ["range": 16, "threshold": -20]) + 16
        }.worst
      },
      Figure(
        "Change of level of a vowel of 120 Hz, and 20 dB softer: worst", in: "dB", .atMost(0.1)
      ) { unit in
        let errors = try [0.3, 0.03].map { try change(of: vowel(amplitude: $0), by: unit) }
        return Deviation.worst(errors)
      },
      Figure("Ripple of both bands together", in: "dB", .atMost(0.01)) { unit in
        let response = FrequencyResponse(try unit.host(["range": 0]))
        return Deviation.worst(
          [50, 100, 1000, 2000, 4000, 8000, 19_000, 20_000].map { response.gain(at: $0) })
      },
      // Linkwitz and Riley: a Butterworth high-pass, twice, warped by the bilinear transform.
      Figure(
        "Gain of the high band, down to -100 dB: worst difference from the formula", in: "dB",
        .atMost(0.1)
      ) { unit in
        let response = FrequencyResponse(try unit.host(["range": 0, "listen": 1]))
        return Deviation.worst(
          [100.0, 2000, 4000, 8000, 19_000].map { frequency -> Double in
            let warped = tan(Double.pi * 4000 / 48_000) / tan(Double.pi * frequency / 48_000)
            let expected = -20 * log10(1 + pow(warped, 4))
            return max(response.gain(at: frequency), -100) - max(expected, -100)
          })
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

  private static func change(
    of input: [Float], by unit: BuiltInUnit, _ parameters: [String: Float] = [:]
  ) throws -> Double {
    let output = try unit.host(parameters).play(input)
    return Level.rms(output.suffix(4800)) - Level.rms(input.suffix(4800))
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

  /// Returns a vowel of 120 Hz that falls by 6 dB per octave, with a formant at 3 kHz.
  private static func vowel(amplitude: Double) -> [Float] {
    (0..<12_000).map { frame -> Float in
      let turn = 2 * Double.pi * 120 * Double(frame) / 48_000
      var sum = 0.0
      for k in 1...60 {
        let weight = (k == 25 ? 3 : 1) / Double(k)
        sum += weight * sin(Double(k) * turn + Double(k * k))
      }
      return Float(amplitude / 2 * sum)
    }
  }
}
