import Foundation

extension MeasuredUnit {
  static let springReverb = MeasuredUnit(
    "aufx/sprg/bkln",
    presetMaterial: [
      "Dub Snare": .drums, "Organ Tank": .chords, "Vocal Spring": .voice, "Screen Door": .drums,
    ],
    figures: [
      // 100 · D (1 - a²) / (1 + 2 a cos(Dω) + a²) with a = 0.57, D = 5.58 frames.
      Figure("Delay of the chirp at half its top", in: "ms", .near(5.92, within: 0.12)) { unit in
        let pass = Array(try springs(unit, ["springs": 0, "tension": 0])[2400..<7200])
        let phases = [2148.0, 2152].map { Spectrum.transform(pass, at: $0).phase }
        // Subtract the low-pass's own delay.
        return -(phases[1] - phases[0]).remainder(dividingBy: 2 * .pi) / (2 * .pi * 4) * 1000 - 0.16
      },
      Figure("Decay of 2 s at 500 Hz", in: "s", .near(2, within: 0.2), isLong: true) { unit in
        Decay(of: try springs(unit, ["springs": 2]), around: 500).t30
      },
      Figure("Decay of 2 s at 2 kHz", in: "s", .near(2, within: 0.2), isLong: true) { unit in
        Decay(of: try springs(unit, ["springs": 2]), around: 2000).t30
      },
    ]
  ) { unit in
    Plot(
      "Decay of the springs' sound, by setting", x: .seconds(3, step: 0.5),
      y: .decibels(-60...0, step: 10, "Level"),
      try ([1, 2, 4] as [Float]).map { seconds in
        let response = try springs(unit, ["decay": seconds, "springs": 2], frames: 192_000)
        return Plot.Curve("\(Int(seconds)) s", Decay(of: response).points().filter { $0.x < 3 })
      })
  }

  private static func springs(
    _ unit: BuiltInUnit, _ parameters: [String: Float], frames: Int = 144_000
  ) throws -> [Float] {
    let alone: [String: Float] = ["mix": 100, "low_cut": 20]
    return try unit.host(alone.merging(parameters) { $1 }).impulseResponse(frames: frames)
  }
}
