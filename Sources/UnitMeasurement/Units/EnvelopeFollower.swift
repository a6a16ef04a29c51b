import Foundation

extension MeasuredUnit {
  static let envelopeFollower = MeasuredUnit(
    "aufx/envf/bkln", material: nil,
    figures: [
      Figure("Peak of a sine at 1 kHz, beside its amplitude", in: "%", .near(0, within: 5)) {
        unit in try error(of: unit, 1000, detector: 0)
      },
      Figure("RMS of a sine at 1 kHz, beside its own", in: "%", .near(0, within: 5)) {
        unit in try error(of: unit, 1000, detector: 1)
      },
      Figure("The same at 41.2 Hz, a bass's lowest string", in: "%", .near(0, within: 5)) {
        unit in try error(of: unit, 41.2, detector: 1)
      },
      Figure("Attack of 20 ms: time to 63 %", in: "ms", .near(20, within: 0.1)) { unit in
        let host = try unit.host(["attack": 20])
        let output = host.play(Signals.constant(1, frames: 9600))
        return Double(output.firstIndex { Double($0) >= 1 - exp(-1) } ?? output.count) / 48
      },
      Figure(
        "Release of 100 ms: time to 37 %, after the hold of 10 ms", in: "ms",
        .near(100, within: 0.5)
      ) { unit in
        let host = try unit.host(["attack": 0.1, "release": 100])
        let step = Signals.constant(1, frames: 4800) + Signals.constant(0, frames: 9600)
        let output = host.play(step).dropFirst(4800 + 480)
        return Double((output.firstIndex { Double($0) <= exp(-1) } ?? 0) - 4800 - 480) / 48
      },
    ]
  ) { unit in
    Plot(
      "Output for a tone of 0.3 s, by attack and release", x: .seconds(1, step: 0.1),
      y: Plot.Axis("Output", 0...1, step: 0.2),
      try ([(1, 50), (20, 200), (100, 500)] as [(Float, Float)]).map { attack, release in
        let host = try unit.host(["attack": attack, "release": release])
        let tone = Signals.sine(frequency: 220, frames: 14_400)
        let output = host.play(tone + Signals.constant(0, frames: 33_600))
        return Plot.Curve("\(Int(attack)) ms, \(Int(release)) ms", Plot.Point.over(output))
      })
  }

  /// Returns the largest error of the reading for a sine once it has settled, percent.
  private static func error(
    of unit: BuiltInUnit, _ frequency: Double, detector: Float
  ) throws -> Double {
    let host = try unit.host(["detector": detector])
    let output = host.play(Signals.sine(frequency: frequency, amplitude: 0.5, frames: 96_000))
    let expected = detector == 0 ? 0.5 : 0.5 / 2.0.squareRoot()
    return output.suffix(24_000).map { (Double($0) / expected - 1) * 100 }
      .max { abs($0) < abs($1) } ?? .infinity
  }
}
