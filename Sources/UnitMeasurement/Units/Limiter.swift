import Foundation

extension MeasuredUnit {
  static let limiter = MeasuredUnit(
    "aufx/limt/bkln", material: .drums,
    figures: [
      Figure(
        "Crest of a sine of 12 kHz between its samples, 12 dB too loud", in: "dB",
        .near(-1, within: 0.1)
      ) { unit in
        let tone = (0..<9600).map { Float(sin((Double($0) + 0.5) * .pi / 2)) }
        let output = try unit.host(["gain": 12]).play(tone)
        // The samples lie 45 degrees off the peaks.
        return Level.peak(output) + 20 * log10(2.0.squareRoot())
      },
      Figure("Distortion of 60 Hz, 6 dB down, release 10 ms", in: "dB", .atMost(-46)) { unit in
        let host = try unit.host(["ceiling": -6, "release": 10, "look_ahead": 0.5])
        return LineSpectrum(host.play(Signals.sine(frequency: 60, frames: 48_000)))
          .totalHarmonicDistortion(of: 60)
      },
      Figure("Punch beside Clean: drums 10 dB above the ceiling", in: "LU", .near(1.1, within: 0.3))
      {
        unit in try loudness(of: unit, mode: 1) - loudness(of: unit, mode: 0)
      },
      Figure("Soft Clip beside Clean: the same", in: "LU", .near(1.5, within: 0.3)) {
        unit in try loudness(of: unit, mode: 2) - loudness(of: unit, mode: 0)
      },
      Figure("Distortion of 1 kHz, 6 dB down, Soft Clip", in: "dB", .atMost(-90)) { unit in
        let host = try unit.host(["ceiling": -6, "mode": 2])
        return LineSpectrum(host.play(Signals.sine(frequency: 1000, frames: 48_000)))
          .totalHarmonicDistortion(of: 1000)
      },
      Figure("Latency with a look-ahead of 3 ms", in: "frames", .near(158, within: 0)) { unit in
        Double(try unit.host().latency)
      },
      Figure("Difference from its input of soft noise", in: "", .near(0, within: 0)) { unit in
        let host = try unit.host()
        let noise = Signals.noise(frames: 4800).map { 0.3 * $0 }
        let output = host.play(noise).dropFirst(host.latency)
        return zip(output, noise).map { Double(abs($0 - $1)) }.max() ?? 1
      },
    ]
  ) { unit in
    let frames = 4800
    let burst = (0..<frames).map { frame -> Float in
      let amplitude = 960..<2400 ~= frame ? 0.9 : 0.2
      return Float(amplitude * sin(2 * .pi * Double(frame) / 48))
    }
    let host = try unit.host(["ceiling": -12, "release": 20, "auto_release": 0])
    let output = host.play(burst + Signals.constant(0, frames: host.latency))
    return Plot(
      "A burst of 1 kHz and what a ceiling of -12 dB lets out, latency taken off",
      x: .seconds(0.1, step: 0.02), y: Plot.Axis("Highest of 1 ms", 0...1, step: 0.2),
      [
        Plot.Curve("input", crests(burst)),
        Plot.Curve("output", crests(Array(output.dropFirst(host.latency)))),
      ])
  }

  private static func loudness(of unit: BuiltInUnit, mode: Float) throws -> Double {
    let drums = Material.drums.samples.prefix(96_000).map { $0 * 4 }
    return Loudness.integrated([try unit.host(["gain": 6, "mode": mode]).play(drums)])
  }

  private static func crests(_ signal: [Float]) -> [Plot.Point] {
    stride(from: 0, to: signal.count, by: 48).map { start in
      Plot.Point(
        Double(start) / 48_000,
        Double(signal[start..<min(start + 48, signal.count)].map(abs).max() ?? 0))
    }
  }
}
