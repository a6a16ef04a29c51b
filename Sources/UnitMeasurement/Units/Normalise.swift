import Foundation

extension MeasuredUnit {
  static let normalise = MeasuredUnit(
    "auol/norm/bkln", material: nil,
    figures: [
      Figure("Guitar, -18 LUFS asked for", in: "LUFS", .near(-18, within: 0.05)) { unit in
        Loudness.integrated(
          try unit.host(["loudness": -18, "peak": 0]).renderOffline([Material.guitar.samples]))
      },
      Figure("Drums, peaks at -3 dB asked for", in: "dB", .near(-3, within: 1e-4)) { unit in
        Level.peak(
          try unit.host(["by": 0, "peak": -3]).renderOffline([Material.drums.samples])[0])
      },
      Figure(
        "Crest between the samples of 12 kHz, true peak at -1 dB asked for", in: "dB",
        .near(-1, within: 0.05)
      ) { unit in
        let tone = (0..<24_000).map { frame -> Float in
          let rise = min(1, Double(min(frame, 23_999 - frame)) / 4800)
          return Float(0.2 * rise * sin((Double(frame) + 0.5) * .pi / 2))
        }
        let output = try unit.host(["by": 1, "peak": -1]).renderOffline([tone])[0]
        // The samples lie 45 degrees off the peaks.
        return Level.peak(output) + 20 * log10(2.0.squareRoot())
      },
    ]
  ) { unit in
    let guitar = Material.guitar.samples
    let levels = stride(from: -40.0, through: 0, by: 2)
    func points(_ settings: [String: Float]) throws -> [Plot.Point] {
      let host = try unit.host(settings)
      return try levels.map { level in
        let gain = Float(Level.amplitude(level - Material.loudness))
        _ = host.renderOffline([guitar.map { $0 * gain }])
        return Plot.Point(level, level + Double(host.value("gain")))
      }
    }
    return Plot(
      "Loudness of a guitar after Normalise, over its loudness before",
      x: Plot.Axis("Before (LUFS)", -40...0, step: 10),
      y: Plot.Axis("After (LUFS)", -40...0, step: 10),
      [
        Plot.Curve("untouched", levels.map { Plot.Point($0, $0) }),
        Plot.Curve("Loudness -23 LUFS", try points(["loudness": -23])),
        Plot.Curve("Peak -1 dB", try points(["by": 0])),
      ])
  }
}
