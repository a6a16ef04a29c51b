import Foundation

extension MeasuredUnit {
  static let rotarySpeaker = MeasuredUnit(
    "aufx/rota/bkln",
    figures: [
      // ωr / c = 2π · 6.7 Hz · 0.19 m / 343.2 m/s
      Figure("Doppler shift of the horn at 6.7 Hz", in: "%", .near(2.33, within: 0.05)) { unit in
        let output = try played(unit, frequency: 4000, distance: 3)[0]
        let phases = stride(from: 4800, to: output.count - 48, by: 48).map {
          Spectrum.transform(Array(output[$0..<$0 + 48]), at: 4000).phase
        }
        let shifts = zip(phases, phases.dropFirst()).map {
          ($1 - $0).remainder(dividingBy: 2 * Double.pi) / (2 * Double.pi) * 1000 / 4000 * 100
        }
        return ((shifts.max() ?? 0) - (shifts.min() ?? 0)) / 2
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
    _ unit: BuiltInUnit, frequency: Double, distance: Float
  ) throws -> [[Float]] {
    let sine = Signals.sine(frequency: frequency, frames: 33_600)
    let host = try unit.host(channels: 2, ["speed": 2, "distance": distance])
    return host.render(inputs: [[sine, sine]], frames: sine.count)
  }
}
