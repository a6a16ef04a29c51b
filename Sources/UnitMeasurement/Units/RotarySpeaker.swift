import Foundation

extension MeasuredUnit {
  static let rotarySpeaker = MeasuredUnit(
    "aufx/rota/bkln",
    figures: [
      // ωr / c = 2π · 6.7 Hz · 0.19 m / 343.2 m/s
      Figure("Doppler shift of the horn at 6.7 Hz", in: "%", .near(2.33, within: 0.05)) {
        try shift(of: 4000, span: 48, by: $0)
      },
      // 2π · 5.7 Hz · 0.12 m / 343.2 m/s
      Figure("Doppler shift of the drum at 5.7 Hz", in: "%", .near(1.252, within: 0.075)) {
        try shift(of: 200, span: 240, by: $0)
      },
      Figure("Largest shift of 4 kHz by the braked horn", in: "Hz", .atMost(0.01)) { unit in
        let output = try played(unit, frequency: 4000, speed: 0, distance: 3)[0]
        guard Spectrum.amplitude(Array(output.suffix(4800)), at: 4000) > 0.1 else {
          return .infinity
        }
        return Pitch.shifts(of: output, from: 4000, span: 240).worst
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

  /// Returns the deviation of the pitch at the left microphone, at full speed, %.
  private static func shift(
    of frequency: Double, span: Int, by unit: BuiltInUnit
  ) throws -> Double {
    let output = try played(unit, frequency: frequency, distance: 3)[0]
    return Pitch.deviation(of: output, around: frequency, span: span)
  }
}
