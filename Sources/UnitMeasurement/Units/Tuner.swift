import Foundation

extension MeasuredUnit {
  static let tuner = MeasuredUnit(
    "aufx/tunr/bkln", presetMaterial: ["Guitar, Silent": nil],
    figures: [
      Figure("Worst error from 27.5 Hz to 2.1 kHz", in: "cents", .atMost(0.1)) { unit in
        try [27.5, 61.7, 110, 329.6, 943.2, 2093].map { frequency in
          abs(try reading(of: pluck(frequency, decay: 0), by: unit, playing: frequency))
        }.worst
      },
      Figure("Worst error of 110 Hz at 44.1, 96 and 192 kHz", in: "cents", .atMost(0.1)) { unit in
        try [44_100.0, 96_000, 192_000].map { rate in
          let host = try unit.host(sampleRate: rate)
          _ = host.play(
            Signals.sine(frequency: 110, sampleRate: rate, amplitude: 0.2, frames: Int(rate)))
          return Pitch.cents(from: 110, to: Double(host.value("frequency")))
        }.worst
      },
      Figure("First reading of a low E within 5 cents", in: "ms", .atMost(120)) { unit in
        let host = try unit.host()
        let string = pluck(82.41, decay: 1)
        return Double(
          try readings(of: string, by: host, playing: 82.41).first { abs($0.y) < 5 }?.x ?? .infinity
        ) * 1000
      },
      Figure(
        "Median error at 82.4 Hz, noise at -20 dB and hum at -30 dB", in: "cents", .atMost(0.5)
      ) {
        unit in
        let errors = try (1...7).map { seed in
          abs(
            try reading(
              of: noisy(pluck(82.41, decay: 0), seed: UInt64(seed)), by: unit, playing: 82.41))
        }
        return errors.sorted()[3]
      },
      Figure("Octave errors in 1,000 plucks", in: "", .atMost(0), isLong: true) { unit in
        var random = Random(seed: 7)
        return Double(
          try (0..<1000).filter { index in
            let frequency = 27.5 * pow(2, Double.random(in: 0...6.25, using: &random))
            var spectrum = (1...14).map {
              pow(Double($0), -Double.random(in: 0.3...1.5, using: &random))
            }
            if index % 4 == 1 && frequency < 600 { spectrum[0] = 0 }
            if index % 4 == 2 { spectrum[1] = 4 * spectrum[0] }
            let string = pluck(
              frequency, decay: 1, spectrum: spectrum, inharmonicity: 1e-4, seconds: 0.5)
            return abs(try reading(of: string, by: unit, playing: frequency)) > 50
          }.count)
      },
    ]
  ) { unit in
    Plot(
      "Reading after a pluck of E2 that is 20 cents flat, by reaction", x: .seconds(0.6, step: 0.1),
      y: Plot.Axis("Error of the reading (cents)", -6...6, step: 2),
      try ["Fast", "Steady"].enumerated().map { index, name in
        let host = try unit.host(["reaction": Float(index)])
        let frequency = 82.41 * pow(2, -20.0 / 1200)
        return Plot.Curve(
          name, try readings(of: pluck(frequency, decay: 1), by: host, playing: frequency))
      })
  }

  /// Returns a string: decaying partials, higher ones decaying faster, sharpened by inharmonicity.
  private static func pluck(
    _ frequency: Double, decay: Double, spectrum: [Double] = [1, 0.6, 0.4, 0.3, 0.2, 0.1],
    inharmonicity: Double = 0, seconds: Double = 0.8
  ) -> [Float] {
    let scale = 0.3 / spectrum.reduce(0, +)
    return (0..<Int(48_000 * seconds)).map { frame in
      let time = Double(frame) / 48_000
      var sum = 0.0
      for (index, amplitude) in spectrum.enumerated() {
        let number = Double(index + 1)
        let partial = frequency * number * (1 + inharmonicity * number * number).squareRoot()
        guard partial < 20_000 else { break }
        sum +=
          amplitude * exp(-decay * (1 + 0.4 * number) * time)
          * sin(2 * .pi * partial * time + number * number)
      }
      return Float(scale * sum)
    }
  }

  private static func noisy(_ string: [Float], seed: UInt64) -> [Float] {
    let level = (string.reduce(0) { $0 + $1 * $1 } / Float(string.count)).squareRoot()
    let noise = Signals.noise(frames: string.count, seed: seed)
    return string.indices.map { frame in
      let hum = sin(2 * Float.pi * 50 * Float(frame) / 48_000) * Float(2).squareRoot() * 0.0316
      return string[frame] + level * (0.1 * Float(3).squareRoot() * noise[frame] + hum)
    }
  }

  /// Returns the error of the last reading, cents.
  private static func reading(
    of sound: [Float], by unit: BuiltInUnit, playing frequency: Double
  ) throws -> Double {
    let host = try unit.host()
    _ = host.play(sound)
    return 1200 * log2(Double(host.value("frequency")) / frequency)
  }

  /// Returns the error every 5 ms once there is a reading: seconds and cents.
  private static func readings(
    of sound: [Float], by host: UnitHost, playing frequency: Double
  ) throws -> [Plot.Point] {
    stride(from: 0, to: sound.count, by: 240).compactMap { start in
      _ = host.play(Array(sound[start..<start + 240]))
      let heard = Double(host.value("frequency"))
      return heard == 0
        ? nil : Plot.Point(Double(start + 240) / 48_000, 1200 * log2(heard / frequency))
    }
  }
}
