import Foundation

extension MeasuredUnit {
  static let loudnessMeter = MeasuredUnit(
    "aufx/lufs/bkln",
    figures: [
      Figure("Tone of 1 kHz, -23 dBFS in both channels", in: "LUFS", .near(-23, within: 0.05)) {
        unit in
        let steady = tone(-23, seconds: 2)
        return try reading("integrated", of: [steady, steady], by: unit)
      },
      Figure(
        "Tech 3341, case 4: soft passages are not counted", in: "LUFS",
        .near(-23, within: 0.1), isLong: true
      ) { unit in
        let levels = [(-72.0, 10.0), (-36, 10), (-23, 60), (-36, 10), (-72, 10)]
        let passages = levels.flatMap { tone($0.0, seconds: $0.1) }
        return try reading("integrated", of: [passages, passages], by: unit)
      },
      Figure(
        "Tech 3342, case 4: range of five passages", in: "LU", .near(15, within: 1),
        isLong: true
      ) { unit in
        let passages = [-50.0, -35, -20, -35, -50].flatMap { tone($0, seconds: 20) }
        return try reading("range", of: [passages, passages], by: unit)
      },
      Figure("Noise, beside the recommendation's own filters", in: "LU", .near(0, within: 0.05)) {
        unit in
        let noise = [
          Signals.noise(frames: 48_000, seed: 1), Signals.noise(frames: 48_000, seed: 2),
        ]
        return try reading("integrated", of: noise, by: unit) - Loudness.integrated(noise)
      },
      Figure(
        "True peak of 12 kHz, sampled 45 degrees off its crests", in: "dBTP",
        .near(-6.02, within: 0.1)
      ) { unit in
        let tone = (0..<9600).map { frame -> Float in
          let fade = min(1, Double(frame) / 4800)
          let angle = (Double(frame) + 0.5) * .pi / 2
          return Float(0.5 * fade * sin(angle))
        }
        return try reading("true_peak", of: [tone], by: unit)
      },
      Figure("Peak to loudness of a tone of 1 kHz", in: "LU", .near(3.01, within: 0.05)) { unit in
        try reading("plr", of: [tone(-20, seconds: 2)], by: unit)
      },
      Figure("Correlation of noise and its negative", in: "", .near(-1, within: 0.001)) { unit in
        let noise = Signals.noise(frames: 48_000)
        return try reading("correlation", of: [noise, noise.map { -$0 }], by: unit)
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

  private static func reading(
    _ parameter: String, of channels: [[Float]], by unit: BuiltInUnit
  ) throws -> Double {
    let host = try unit.host(channels: channels.count)
    _ = host.play(channels)
    return Double(host.value(parameter))
  }
}
