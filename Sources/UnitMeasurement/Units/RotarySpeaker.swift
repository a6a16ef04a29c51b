import Foundation

extension MeasuredUnit {
  static let rotarySpeaker = MeasuredUnit(
    "aufx/rota/bkln",
    figures: [
      // ωr / c = 2π · 6.7 Hz · 0.19 m / 343.2 m/s
      Figure("Doppler shift of the horn at 6.7 Hz", in: "%", .near(2.33, within: 0.05)) {
        try shift(of: 4000, span: 48, speed: 2, by: $0)
      },
      // 2π · 5.7 Hz · 0.12 m / 343.2 m/s
      Figure("Doppler shift of the drum at 5.7 Hz", in: "%", .near(1.252, within: 0.075)) {
        try shift(of: 200, span: 240, speed: 2, by: $0)
      },
      Figure("Doppler shift of the braked horn", in: "%", .atMost(2.5e-4)) {
        try shift(of: 4000, span: 240, speed: 0, by: $0)
      },
      Figure("Spurs of 4 kHz at full speed", in: "dB", .atMost(-90)) { unit in
        let spectrum = LineSpectrum(try played(unit, frequency: 4000, distance: 0.6)[0])
        return max(spectrum.peak(from: 20, to: 3200), spectrum.peak(from: 4800, to: 20_000))
      },
    ]
  ) { unit in
    Plot(
      "Level of 2 kHz at the microphones, fast", x: .seconds(0.6, step: 0.1),
      y: .decibels(-24...0, step: 6, "Level"),
      zip(["left", "right"], try played(unit, frequency: 2000, distance: 0.6)).map { name, side in
        Plot.Curve(
          name,
          Plot.Point.levels(of: Array(side.prefix(28_800)), window: 0.004).filter { $0.x > 0.01 })
      })
  }

  private static func played(
    _ unit: BuiltInUnit, frequency: Double, speed: Float = 2, distance: Float
  ) throws -> [[Float]] {
    let sine = Signals.sine(frequency: frequency, frames: 33_600)
    return try unit.host(channels: 2, ["speed": speed, "distance": distance]).play([sine, sine])
  }

  /// Returns the deviation of the pitch at the left microphone, %.
  private static func shift(
    of frequency: Double, span: Int, speed: Float, by unit: BuiltInUnit
  ) throws -> Double {
    let output = try played(unit, frequency: frequency, speed: speed, distance: 3)[0]
    return Pitch.deviation(of: output, around: frequency, span: span)
  }
}
