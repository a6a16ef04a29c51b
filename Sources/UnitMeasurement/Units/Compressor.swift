import BacklineTestSupport
import Foundation

extension MeasuredUnit {
  static let compressor = MeasuredUnit(
    "aufx/cmpr/bkln",
    presetMaterial: ["Vocal": .voice, "Parallel Drums": .drums, "Ducking": nil],
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
}
