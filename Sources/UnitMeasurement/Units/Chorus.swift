import Foundation

extension MeasuredUnit {
  static let chorus = MeasuredUnit(
    "aufx/chor/bkln",
    figures: [
      movedVoice(1000, .atMost(-100)), movedVoice(13_000, .atMost(-86.03)),
      Figure("Spurs of a voice at 13 kHz, depth 1.5 ms, rate 5 Hz", in: "dB", .atMost(-90)) {
        unit in
        let host = try unit.host(sweep)
        let spectrum = LineSpectrum(host.play(Signals.sine(frequency: 13_000, frames: 34_000)))
        return max(spectrum.peak(from: 20, to: 12_000), spectrum.peak(from: 14_000, to: 23_900))
      },
    ]
  ) { unit in
    // For a ramp of the time in seconds, the output is the time minus the delay.
    let ramp = (0..<96_000).map { Float($0) / 48_000 }
    let host = try unit.host(
      channels: 2, ["voices": 1, "mix": 100, "depth": 2, "rate": 1, "delay": 8])
    let output = host.play([ramp, ramp])
    return Plot(
      "Delay of one voice, depth 2 ms, rate 1 Hz, spread 90°", x: .seconds(2, step: 0.5),
      y: Plot.Axis("Delay in ms", 4...12, step: 2),
      zip(["left", "right"], output).map { name, side in
        let delays = zip(ramp, side).map { ($0 - $1) * 1000 }
        return Plot.Curve(name, Plot.Point.over(delays).filter { $0.x > 0.02 })
      })
  }

  private static let sweep: [String: Float] = [
    "voices": 1, "mix": 100, "depth": 1.5, "rate": 5, "delay": 8,
  ]

  /// One voice alone is the sound at t - delay - depth · sin(2π · rate · t).
  private static func movedVoice(_ frequency: Double, _ goal: ClosedRange<Double>) -> Figure {
    Figure(
      "A voice at \(Int(frequency / 1000)) kHz: worst difference from the moved sine", in: "dB",
      goal
    ) { unit in
      let output = try unit.host(sweep).play(Signals.sine(frequency: frequency, frames: 12_000))
      let worst = Deviation.worst(of: output[1000...]) { frame in
        let time = Double(frame) / 48_000
        let delay: Double = 0.008 + 0.0015 * sin(2 * Double.pi * 5 * time)
        return sin(2 * Double.pi * frequency * (time - delay))
      }
      return Level.decibels(worst)
    }
  }
}
