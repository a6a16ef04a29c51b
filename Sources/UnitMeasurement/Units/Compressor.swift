import Foundation

extension MeasuredUnit {
  static let compressor = MeasuredUnit(
    "aufx/cmpr/bkln",
    presetMaterial: [
      "Defaults": nil, "Vocal": .voice, "Parallel Drums": .drums, "Ducking": nil,
      "Peaks": .drums, "Leveller": .voice, "Bass Guitar": .bass, "Drum Smack": .drums,
      "Glue": .mix, "Master": .mix, "FET Drums": .drums, "FET Vocal": .voice,
      "Opto Vocal": .voice, "Vari-Mu Glue": .mix,
    ],
    figures: [
      Figure("Reduction 18 dB above the threshold, ratio 4", in: "dB", .near(13.5, within: 0.05)) {
        unit in
        let host = try unit.host(["threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05])
        let input = Signals.constant(Float(Level.amplitude(-2)), frames: 4800)
        return -2 - Level.peak(host.play(input).suffix(1))
      },
      Figure("Attack of 10 ms: time to 63 % of the reduction", in: "ms", .near(10, within: 0.3)) {
        unit in
        let host = try unit.host(["threshold": -20, "ratio": 4, "knee": 0, "attack": 10])
        let output = host.play(Signals.constant(1, frames: 9600))
        let reached = Float(Level.amplitude(-15 * (1 - exp(-1))))
        return Double(output.firstIndex { $0 <= reached } ?? output.count) / 48
      },
      Figure("Release of 100 ms: time to 63 % of the way back", in: "ms", .near(100, within: 1)) {
        unit in
        let host = try unit.host([
          "threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05, "release": 100, "hold": 0,
        ])
        let loud = Signals.constant(1, frames: 480)
        let output = host.play(loud + Signals.constant(0.01, frames: 9600)).dropFirst(480)
        let reached = Float(Level.amplitude(-40 - 15 * exp(-1)))
        return Double((output.firstIndex { $0 >= reached } ?? 0) - 480) / 48
      },
      Figure("FET, attack of 10 ms, ratio 4: time to 63 %", in: "ms", .near(2.5, within: 0.1)) {
        unit in
        let host = try unit.host(["style": 1, "threshold": -20, "ratio": 4, "knee": 0])
        let output = host.play(Signals.constant(1, frames: 9600))
        let reached = Float(Level.amplitude(-15 * (1 - exp(-1))))
        return Double(output.firstIndex { $0 <= reached } ?? output.count) / 48
      },
      Figure("Opto: reduction 0.5 s after one of 15 dB and 50 ms", in: "dB", .atMost(0.5)) { unit in
        try optoReduction(of: unit, after: 0.05)
      },
      Figure("Opto: the same after one of 5 s", in: "dB", .near(5, within: 0.5)) { unit in
        try optoReduction(of: unit, after: 5)
      },
      Figure(
        "Vari-Mu: reduction 12 dB above the threshold, ratio 20", in: "dB", .near(5.7, within: 0.05)
      ) { unit in
        let host = try unit.host([
          "style": 3, "threshold": -30, "ratio": 20, "knee": 0, "attack": 0.05,
        ])
        let input = Signals.constant(Float(Level.amplitude(-18)), frames: 4800)
        return -18 - Level.peak(host.play(input).suffix(1))
      },
      Figure("Distortion of 100 Hz, 10 dB down, attack 10, release 150", in: "dB", .atMost(-50)) {
        unit in
        let host = try unit.host(["threshold": -18, "knee": 0])
        let tone = Signals.sine(
          frequency: 100, amplitude: Level.amplitude(-18 + 40.0 / 3), frames: 48_000)
        return LineSpectrum(host.play(tone)).totalHarmonicDistortion(of: 100)
      },
      Figure("Overshoot of a step of 12 dB, attack 1, look-ahead 5 ms", in: "dB", .atMost(0.2)) {
        unit in
        let host = try unit.host([
          "threshold": -20, "ratio": 100, "knee": 0, "attack": 1, "look_ahead": 5,
        ])
        let step = Signals.constant(0.1, frames: 2400) + Signals.constant(0.4, frames: 4800)
        let output = host.play(step)
        return Level.peak(output) - Level.peak(output.suffix(1))
      },
    ]
  ) { unit in
    Plot(
      "Level out over level in, threshold -30 dB, knee 6 dB, by ratio",
      x: .decibels(-60...0, step: 10, "Input"), y: .decibels(-60...0, step: 10, "Output"),
      try ([1, 2, 4, 100] as [Float]).map { ratio in
        let host = try unit.host([
          "threshold": -30, "ratio": ratio, "attack": 0.05, "release": 2500,
        ])
        return Plot.Curve(
          "\(Int(ratio)):1", host.transferCurve(stride(from: -60, through: -3, by: 1)))
      })
  }

  /// Returns the gain reduction that remains half a second after so many seconds at 15 dB, dB.
  private static func optoReduction(
    of unit: BuiltInUnit, after seconds: Double
  ) throws -> Double {
    let host = try unit.host([
      "style": 2, "threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05, "release": 90,
      "hold": 0,
    ])
    let loud = Signals.constant(1, frames: Int(seconds * 48_000))
    let output = host.play(loud + Signals.constant(0.01, frames: 24_000))
    return -40 - Level.peak(output.suffix(1))
  }
}
