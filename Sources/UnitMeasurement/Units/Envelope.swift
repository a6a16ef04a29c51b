import Foundation

extension MeasuredUnit {
  static let envelope = MeasuredUnit(
    "augn/envl/bkln", material: nil,
    figures: [
      // Near 0 the curve is the beginning of its series.
      Figure(
        "Output in all stages, seven curves: worst difference from the formula",
        in: "millionths of full scale", .atMost(30)
      ) { unit in
        let curves: [Float] = [-100, -0.5, 0, 0.5, 1.5, 50, 100]
        return try 1e6 * Deviation.worst(curves.map { try error(of: unit, curve: $0) })
      }
    ]
  ) { unit in
    Plot(
      "A key held for 1 s, by curve", x: .seconds(2, step: 0.25),
      y: Plot.Axis("Output", 0...1, step: 0.2),
      try ([-60, 0, 50, 100] as [Float]).map { curve in
        let output = try played(
          unit,
          ["attack": 0.3, "hold": 0.1, "decay": 0.4, "sustain": 50, "release": 0.6, "curve": curve])
        return Plot.Curve("\(Int(curve)) %", Plot.Point.over(output))
      })
  }

  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [Float] {
    try unit.host(parameters).render(
      frames: 96_000, events: [.midi([0x90, 60, 127], at: 0), .midi([0x80, 60, 0], at: 48_000)])[0]
  }

  /// Returns the largest difference of a note's frames from the formula.
  private static func error(of unit: BuiltInUnit, curve: Float) throws -> Double {
    let host = try unit.host([
      "attack": 0.1, "hold": 0.05, "decay": 0.2, "sustain": 40, "release": 0.3, "curve": curve,
    ])
    let output = host.render(frames: 66_000, events: [.on(60, at: 1000), .off(60, at: 50_000)])[0]
    let silence = output[..<1000] + output[64_400...]
    guard silence.allSatisfy({ $0 == 0 }) else { return .infinity }
    return Deviation.worst(of: output) { frame in
      let attack = way(from: 1000, to: 5800, at: frame, curve: curve)
      let decay = way(from: 8200, to: 17_800, at: frame, curve: curve)
      let release = way(from: 50_000, to: 64_400, at: frame, curve: curve)
      return attack - 0.6 * decay - 0.4 * release
    }
  }

  /// Returns the part of its way that a stage from one frame to another has gone.
  private static func way(from start: Int, to end: Int, at frame: Int, curve: Float) -> Double {
    let share = min(max(Double(frame - start) / Double(end - start), 0), 1)
    return EnvelopeCurve.way(share, curve: curve)
  }
}

/// The curve of the envelope's stages.
package enum EnvelopeCurve {
  /// Returns the part of its way that a stage has gone at a share of its time.
  package static func way(_ share: Double, curve: Float) -> Double {
    let octaves = Double(curve) / 10
    return octaves == 0 ? share : (1 - exp2(-octaves * share)) / (1 - exp2(-octaves))
  }
}
