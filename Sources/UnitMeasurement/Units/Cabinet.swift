import AudioUnits
import Foundation

extension MeasuredUnit {
  static let cabinet = MeasuredUnit(
    "aufx/cabn/bkln", material: nil,
    figures: [
      Figure(
        "Peak left of the same response twice, one late and inverted", in: "dB", .atMost(-120)
      ) { unit in
        let folder = try TemporaryFolder()
        let near = try SoundFile.decay(after: 40).write(folder.path("near.wav"))
        let far = try SoundFile.decay(after: 400).write(folder.path("far.wav"))
        let peaks = try ([0, 1] as [Float]).map { invert -> Double in
          let host = try host(unit, near, far, ["blend": 50, "invert": invert])
          return Level.peak(host.impulseResponse(frames: 1000))
        }
        return peaks[0] > -20 ? peaks[1] : .infinity
      },
      Figure("Level of noise through two responses: worst", in: "dB", .atMost(0.0004)) { unit in
        let folder = try TemporaryFolder()
        let long = try SoundFile.decay().write(folder.path("long.wav"))
        let short = try SoundFile.decay(by: 20).write(folder.path("short.wav"))
        return Deviation.worst(
          try ([0, 100] as [Float]).map { blend -> Double in
            let response = try host(unit, long, short, ["blend": blend])
              .impulseResponse(frames: 2000)
            return 10 * log10(Level.energy(response))
          })
      },
      Figure("Blend and trim moved on 1 kHz: farther than 1 kHz off", in: "dBc", .atMost(-80)) {
        unit in
        let folder = try TemporaryFolder()
        let near = try SoundFile.decay().write(folder.path("near.wav"))
        let far = try SoundFile.noise(frames: 9000, channels: 1).write(folder.path("far.wav"))
        return try [("blend", 60), ("trim", 20)].map { (knob: String, value: Float) in
          try host(unit, near, far, ["blend": 20]).spur(moving: knob, to: value)
        }.max() ?? 0
      },
    ]
  ) { unit in
    let closed = DataFolder.find("racks/sounds/cabinet-closed.flac") ?? ""
    let open = DataFolder.find("racks/sounds/cabinet-open.flac") ?? ""
    return Plot(
      "Response of the two cabinets that ship, and of both", x: .frequency,
      y: .decibels(-48...12, step: 12),
      try [("closed", 0), ("open", 100), ("both", 50)].map { (name: String, blend: Float) in
        Plot.Curve(name, FrequencyResponse(try host(unit, closed, open, ["blend": blend])).curve())
      })
  }

  private static func host(
    _ unit: BuiltInUnit, _ a: String, _ b: String, _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], properties: ["a": a, "b": b],
      parameters: parameters)
  }
}

extension SoundFile {
  /// Returns a sine that decays by e in `decay` frames, after some frames of silence.
  package static func decay(
    frames: Int = 1000, by decay: Double = 100, after silence: Int = 0
  ) -> SoundFile {
    let sound = (0..<frames).map { Float(exp(-Double($0) / decay) * cos(0.3 * Double($0))) }
    return SoundFile(sampleRate: 48_000, channels: [Signals.constant(0, frames: silence) + sound])
  }
}
