import Foundation

extension MeasuredUnit {
  static let multibandCompressor = MeasuredUnit(
    "aufx/mbnd/bkln", material: .mix,
    presetMaterial: [
      "Even Voice": .voice, "Soft Presence": .voice, "Tight Bass": .bass, "Drum Punch": .drums,
    ],
    figures: [
      Figure("Ripple of five bands together", in: "dB", .near(0, within: 0.01)) { unit in
        let response = FrequencyResponse(
          try unit.host(still.merging(["bands": 5]) { $1 }), frames: 16_384)
        let gains = response.curve().map(\.y)
        return gains.max { abs($0) < abs($1) } ?? 0
      },
      Figure("A band at its crossover", in: "dB", .near(-6.02, within: 0.02)) { unit in
        let host = try unit.host(still.merging(["band2.solo": 1]) { $1 })
        return FrequencyResponse(host, frames: 16_384).gain(at: 800)
      },
      Figure(
        "Reduction 18 dB above a band's threshold, ratio 4", in: "dB", .near(13.5, within: 0.1)
      ) { unit in
        let band: [String: Float] = [
          "crossover2": 200, "crossover3": 15_000, "knee": 0, "band3.threshold": -24,
          "band3.ratio": 4, "band3.solo": 1,
        ]
        let host = try unit.host(still.merging(band) { $1 })
        let tone = Signals.sine(
          frequency: 1789, amplitude: Level.amplitude(-6), frames: 48_000)
        return Level.rms(tone.suffix(9600)) - Level.rms(host.play(tone).suffix(9600))
      },
      Figure("Attack of 10 ms: time to 63 % of the reduction", in: "ms", .near(10, within: 0.5)) {
        unit in
        let host = try unit.host([
          "crossover1": 20_000, "knee": 0, "band1.threshold": -20, "band1.ratio": 4,
        ])
        let output = host.play(Signals.constant(1, frames: 9600))
        let reached = Float(Level.amplitude(-15 * (1 - exp(-1))))
        return Double(output.dropFirst(48).firstIndex { $0 <= reached } ?? output.count) / 48
      },
      Figure("A soft tone of 7 kHz beside a loud one of 60 Hz", in: "dB", .near(0, within: 0.02)) {
        unit in
        let low = Signals.sine(frequency: 60, amplitude: 0.9, frames: 48_000)
        let high = Signals.sine(frequency: 7000, amplitude: 0.001, frames: 48_000)
        let output = try unit.host(["band1.ratio": 20]).play(zip(low, high).map { $0 + $1 })
        let settled = Array(output.suffix(24_000))
        return Level.decibels(Spectrum.amplitude(settled, at: 7000) / 0.001)
      },
    ]
  ) { unit in
    Plot(
      "The bands alone, and all together", x: .frequency, y: .decibels(-48...6, step: 6),
      try (1...4).map { band in
        let host = try unit.host(still.merging(["band\(band).solo": 1]) { $1 })
        return Plot.Curve("band \(band)", FrequencyResponse(host, frames: 16_384).curve())
      } + [Plot.Curve("all", FrequencyResponse(try unit.host(still), frames: 16_384).curve())])
  }

  /// The parameters with which no band has an effect.
  private static let still: [String: Float] = Dictionary(
    uniqueKeysWithValues: (1...5).map { ("band\($0).ratio", 1) })
}
