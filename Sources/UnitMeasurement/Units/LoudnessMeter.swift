import Foundation

extension MeasuredUnit {
  static let loudnessMeter = MeasuredUnit(
    "aufx/lufs/bkln",
    figures: [
      Figure(
        "Loudness of 1 kHz at -23 dBFS: reading farthest from -23 LUFS", in: "LU", .atMost(0.05)
      ) { unit in
        try ["momentary", "short_term", "integrated"].map {
          abs(try steady($0, by: unit) + 23)
        }.worst
      },
      Figure("True peak of 1 kHz at -23 dBFS", in: "dBTP", .near(-23, within: 0.02)) {
        try steady("true_peak", by: $0)
      },
      Figure("Loudness range of a steady 1 kHz", in: "LU", .near(0, within: 0.01)) {
        try steady("range", by: $0)
      },
      Figure(
        "Loudness without its soft passages, Tech 3341, case 4, shortened", in: "LUFS",
        .near(-23, within: 0.1)
      ) { unit in
        // The loud passage is longer, so that blocks astride an edge weigh less.
        let levels = [(-72.0, 1.0), (-36, 1), (-23, 14), (-36, 1)]
        let passages = levels.flatMap { tone($0.0, seconds: $0.1) }
        return try reading("integrated", of: [passages, passages], by: unit)
      },
      Figure(
        "Loudness range of two passages, Tech 3342, cases 1 to 3, shortened: worst error", in: "LU",
        .atMost(1)
      ) { unit in
        try [(-20.0, -30.0), (-20, -15), (-40, -20)].map { first, second in
          let passages = tone(first, seconds: 6) + tone(second, seconds: 6)
          return abs(
            try reading("range", of: [passages, passages], by: unit) - abs(first - second))
        }.worst
      },
      Figure(
        "Loudness range of five passages, Tech 3342, case 4", in: "LU", .near(15, within: 1),
        isLong: true
      ) { unit in
        let passages = [-50.0, -35, -20, -35, -50].flatMap { tone($0, seconds: 20) }
        return try reading("range", of: [passages, passages], by: unit)
      },
      Figure(
        "Loudness of noise, beside that by the recommendation's own filters", in: "LU",
        .near(0, within: 0.01)
      ) { unit in
        let noise = [UInt64(1), 2].map { seed in
          Signals.noise(frames: 96_000, seed: seed).enumerated().map { frame, sample -> Float in
            let swell = sin(Double(frame) / 20_000)
            return sample * Float(0.02 + 0.3 * swell * swell)
          }
        }
        return try reading("integrated", of: noise, by: unit) - Loudness.integrated(noise)
      },
      Figure(
        "True peak between samples, Tech 3341, cases 15 to 19: worst error", in: "dB", .atMost(0.1)
      ) { unit in
        // The crests lie between samples.
        let tones: [(Double, Double)] = [(4, 0), (4, 45), (6, 60), (8, 67.5), (3, 20)]
        return try tones.map { period, degrees in
          let tone = (0..<4800).map { frame -> Float in
            let fade = min(1, Double(min(frame, 4800 - frame)) / 480)
            let turns = Double(frame) / period + degrees / 360
            return Float(0.5 * fade * sin(2 * .pi * turns))
          }
          return abs(try reading("true_peak", of: [tone], by: unit) + 6.02)
        }.worst
      },
      Figure("Peak to loudness of a tone of 1 kHz", in: "LU", .near(3.01, within: 0.05)) { unit in
        try reading("plr", of: [tone(-20, seconds: 2)], by: unit)
      },
      Figure("Correlation of sines, farthest from their phase's cosine", in: "", .atMost(0.005)) {
        unit in
        try [0.0, 60, 90, 135, 180].map { degrees in
          let sines = [(0.5, 0), (0.05, degrees)].map { amplitude, degrees in
            (0..<96_000).map { frame in
              Float(amplitude * sin(2 * .pi * (Double(frame) / 48 + degrees / 360)))
            }
          }
          return abs(try reading("correlation", of: sines, by: unit) - cos(degrees * .pi / 180))
        }.worst
      },
    ]
  ) { unit in
    let loud = tone(-20, seconds: 1.5)
    let soft = tone(-40, seconds: 1.5)
    let input = loud + soft + loud
    return Plot(
      "Readings of a tone of -20, -40 and -20 dBFS in one channel", x: .seconds(4.5, step: 0.5),
      y: Plot.Axis("Loudness (LUFS)", -50 ... -20, step: 10),
      try ["momentary", "short_term", "integrated"].map { name in
        let host = try unit.host()
        return Plot.Curve(
          name.replacing("_", with: "-"),
          stride(from: 0, to: input.count, by: 4800).map { start in
            _ = host.play(Array(input[start..<start + 4800]))
            return Plot.Point(
              Double(start + 4800) / 48_000, max(-50, Double(host.value(name))))
          })
      })
  }

  private static func tone(_ level: Double, seconds: Double) -> [Float] {
    Signals.sine(
      frequency: 1000, amplitude: Level.amplitude(level), frames: Int(seconds * 48_000))
  }

  /// Returns a reading of four seconds of 1 kHz at -23 dBFS in both channels.
  private static func steady(_ parameter: String, by unit: BuiltInUnit) throws -> Double {
    let steady = tone(-23, seconds: 4)
    return try reading(parameter, of: [steady, steady], by: unit)
  }

  private static func reading(
    _ parameter: String, of channels: [[Float]], by unit: BuiltInUnit
  ) throws -> Double {
    let host = try unit.host(channels: channels.count)
    _ = host.render(inputs: [channels], frames: channels[0].count, blockSizes: [512, 77])
    return Double(host.value(parameter))
  }
}
