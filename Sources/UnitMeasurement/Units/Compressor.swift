import Foundation

extension MeasuredUnit {
  static let compressor = MeasuredUnit(
    "aufx/cmpr/bkln",
    presetMaterial: [
      "Defaults": nil, "Vocal": .voice, "Parallel Drums": .drums, "Ducking": nil,
      "Peaks": .drums, "Leveller": .voice, "Bass Guitar": .bass, "Drum Smack": .drums,
      "Glue": .mix, "Master": .mix, "FET Drums": .drums, "FET Vocal": .voice,
      "Opto Vocal": .voice, "Vari-Mu Glue": .mix,
    ],
    figures: [
      // Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", J. Audio Eng.
      // Soc. 60 (6), 2012: equation 4 and, for attack and release, 18.
      Figure(
        "Static curve: worst difference from the paper's, five settings", in: "dB", .atMost(0.002)
      ) { unit in
        let settings: [(Float, Float, Float)] = [
          (-18, 4, 6), (-30, 2, 24), (-12, 20, 0), (-40, 100, 10), (-20, 1, 12),
        ]
        return Deviation.worst(
          try settings.flatMap { threshold, ratio, knee in
            try curveErrors(of: unit, threshold: threshold, ratio: ratio, knee: knee)
          })
      },
      Figure(
        "Gain during attack, hold and release: worst difference from the paper's, three settings",
        in: "dB", .atMost(0.01)
      ) { unit in
        let settings: [(Double, Double, Double)] = [(5, 50, 0), (0.5, 200, 25), (40, 15, 100)]
        return Deviation.worst(
          try settings.flatMap { attack, release, hold in
            try timeErrors(of: unit, attack: attack, release: release, hold: hold)
          })
      },
      Figure(
        "FET: gain beside its circuit's, a feedback loop: worst difference", in: "dB",
        .atMost(0.05)
      ) { unit in
        try CompressorCircuit.error(of: unit, .fet, held: 0)
      },
      Figure(
        "Opto: gain beside its circuit's, which holds half of a long reduction: worst difference",
        in: "dB", .atMost(0.05)
      ) { unit in
        try CompressorCircuit.error(of: unit, .opto, held: 0.5)
      },
      Figure(
        "Opto, automatic release: gain beside its circuit's, which holds all: worst difference",
        in: "dB", .atMost(0.05)
      ) { unit in
        try CompressorCircuit.error(of: unit, .opto, held: 1, automatic: true)
      },
      Figure(
        "Vari-Mu: gain beside its circuit's, of bent ratio and late release: worst difference",
        in: "dB", .atMost(0.05)
      ) { unit in
        try CompressorCircuit.error(of: unit, .variMu, held: 1)
      },
      Figure(
        "Gain of a tone of 100 Hz, turned down by its peak", in: "dB", .near(-10, within: 0.01)
      ) { unit in
        try held(unit, detector: 0).gain
      },
      Figure(
        "Difference of a tone of 100 Hz, turned down by peak and RMS, from itself: worst",
        in: "dBc", .atMost(-50.46)
      ) { unit in
        try max(held(unit, detector: 0).difference, held(unit, detector: 1).difference)
      },
      Figure(
        "Peak of a step of 12 dB, attack 1, look-ahead 5 ms, beside its level at 100:1", in: "dB",
        .near(0, within: 0.2)
      ) { unit in
        let host = try unit.host([
          "threshold": -20, "ratio": 100, "knee": 0, "attack": 1, "look_ahead": 5,
        ])
        let step = Signals.constant(0.1, frames: 2400) + Signals.constant(0.4, frames: 4800)
        let output = host.play(step)
        return Level.peak(output) - (-20 + 12.04 / 100)
      },
    ]
  ) { unit in
    Plot(
      "Level out over level in, threshold -30 dB, knee 6 dB, by ratio",
      x: .decibels(-60...0, step: 10, "Input"), y: .decibels(-60...0, step: 10, "Output"),
      try ([1, 2, 4, 100] as [Float]).map { ratio in
        let host = try unit.host([
          "threshold": -30, "ratio": ratio, "attack": 0.05, "release": 2500,
        ])
        return Plot.Curve(
          "\(Int(ratio)):1", host.transferCurve(stride(from: -60, through: -3, by: 1)))
      })
  }

  /// Returns the differences of the output and of the shown reduction from the curve, dB.
  private static func curveErrors(
    of unit: BuiltInUnit, threshold: Float, ratio: Float, knee: Float
  ) throws -> [Double] {
    let host = try unit.host([
      "threshold": threshold, "ratio": ratio, "knee": knee, "attack": 0.05, "release": 5,
    ])
    let (threshold, ratio, knee) = (Double(threshold), Double(ratio), Double(knee))
    return stride(from: -60.0, through: 0, by: 1.7).flatMap { level -> [Double] in
      host.reset()
      // The signs alternate: the detector hears the magnitude alone.
      let amplitude = Float(Level.amplitude(level))
      let output = host.play((0..<960).map { $0 % 2 == 0 ? amplitude : -amplitude })
      let change = (1 / ratio - 1) * StaticCurve.excess(level - threshold, knee: knee)
      return [
        Level.peak(output.suffix(1)) - level - change,
        Double(host.value("gain_reduction")) + change,
      ]
    }
  }

  /// Returns the differences from the exponentials after silence, and after a steady level, dB.
  private static func timeErrors(
    of unit: BuiltInUnit, attack: Double, release: Double, hold: Double
  ) throws -> [Double] {
    let host = try unit.host([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": Float(attack), "release": Float(release),
      "hold": Float(hold),
    ])
    let output = host.play(
      Signals.constant(1, frames: 24_000) + Signals.constant(0.01, frames: 24_000))
    return stride(from: 0, to: 24_000, by: 97).flatMap { frame -> [Double] in
      let time = Double(frame + 1) / 48
      return [
        Level.peak(output[frame...frame]) + 15 * (1 - exp(-time / attack)),
        Level.peak(output[24_000 + frame...24_000 + frame]) + 40
          + 15 * exp(-max(0, time - hold) / release),
      ]
    }
  }

  /// Returns the gain of a tone whose own wave does not move the gain, because the hold bridges it,
  /// and the largest difference from the tone, beside its peak; dB.
  private static func held(
    _ unit: BuiltInUnit, detector: Float
  ) throws -> (gain: Double, difference: Double) {
    let host = try unit.host([
      "threshold": -18, "knee": 0, "attack": 10, "release": 150, "detector": detector,
    ])
    // Crests lie on samples: a period has 480 frames.
    let tone = Signals.sine(
      frequency: 100, amplitude: Level.amplitude(-18 + 40.0 / 3), frames: 28_800)
    let output = host.play(tone).suffix(4800)
    let gain = Level.peak(output) - Level.peak(tone)
    let factor = Float(Level.amplitude(gain))
    let worst = Deviation.worst(zip(output, tone.suffix(4800)).map { Double($0 / factor - $1) })
    return (gain, Level.decibels(worst) - Level.peak(tone))
  }
}
