import Foundation

extension MeasuredUnit {
  static let springReverb = MeasuredUnit(
    "aufx/sprg/bkln",
    presetMaterial: [
      "Dub Snare": .drums, "Organ Tank": .chords, "Vocal Spring": .voice, "Screen Door": .drums,
    ],
    figures: [
      // A hundred all-passes (a + D) / (1 + a D), D = z⁻ⁿ (b + z⁻¹) / (1 + b z⁻¹), and the cuts.
      Figure("Delay of chirps to 2, 4.3, 5.5 and 6 kHz: worst error", in: "%", .atMost(2)) { unit in
        try [(4300.0, 60.0), (6000, 0), (2000, 30), (5500, 80)].flatMap { top, drip in
          try delayErrors(unit, top: top, drip: drip)
        }.worst
      },
      decay(1), decay(2), decay(6),
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

  /// Measures the octaves from 250 Hz to 3 kHz of springs of two tensions.
  private static func decay(_ seconds: Double) -> Figure {
    Figure("Decay of \(Int(seconds)) s, worst octave: error", in: "%", .atMost(10)) { unit in
      try [Float(60), 100].flatMap { tension -> [Double] in
        let response = try springs(
          unit, ["springs": 2, "decay": Float(seconds), "tension": tension],
          frames: Int(48_000 * seconds * 1.3))
        return [250.0, 500, 1000, 2000, 3000].map {
          100 * abs(Decay(of: response, around: $0).t30 / seconds - 1)
        }
      }.worst
    }
  }

  /// Returns the errors of a chirp's group delay, %, from a tenth to eight tenths of its top. The
  /// sound has gone half of the way, and does not come back on the slackest spring within 100 ms.
  private static func delayErrors(
    _ unit: BuiltInUnit, top: Double, drip: Double
  ) throws -> [Double] {
    let settings: [String: Float] = [
      "springs": 0, "tension": 0, "chirp": Float(top), "drip": Float(drip), "decay": 0.5,
    ]
    let pass = Array(try springs(unit, settings, frames: 8192)[2400..<7200])
    return stride(from: 0.1, through: 0.8, by: 0.1).map { part in
      let expected = groupDelay(at: part * top) { formula(at: $0, top: top, drip: drip) }
      let measured = groupDelay(at: part * top) { Spectrum.transform(pass, at: $0) }
      return 100 * abs(measured / expected - 1)
    }
  }

  /// Returns the group delay by the phases a little below and above, s.
  private static func groupDelay(at frequency: Double, _ response: (Double) -> Phasor) -> Double {
    let turn = (response(frequency + 2) / response(frequency - 2)).phase
    return -turn / (2 * .pi * 4)
  }

  /// Returns the response of the all-passes and the cuts.
  private static func formula(at frequency: Double, top: Double, drip: Double) -> Phasor {
    let a = 0.3 + 0.45 * drip / 100
    let delay = 24_000 / top
    let whole = (delay - 0.5).rounded(.down)
    let b = (1 - (delay - whole)) / (1 + (delay - whole))
    let w = 2 * Double.pi * frequency / 48_000
    let back = Phasor(cos(w), -sin(w))
    let inner =
      Phasor(cos(whole * w), -sin(whole * w)) * (Phasor(b) + back) / (Phasor(1) + Phasor(b) * back)
    let stage = (Phasor(a) + inner) / (Phasor(1) + Phasor(a) * inner)
    let angle = 100 * stage.phase
    return Phasor(cos(angle), sin(angle))
      * butterworth(frequency, at: top, q: [0.51764, 0.70711, 1.93185], isHigh: false)
      * butterworth(frequency, at: 20, q: [0.70711], isHigh: true)
  }

  /// Returns the response of a Butterworth filter through the bilinear transform.
  private static func butterworth(
    _ frequency: Double, at corner: Double, q: [Double], isHigh: Bool
  ) -> Phasor {
    let s = Phasor(0, tan(.pi * frequency / 48_000) / tan(.pi * corner / 48_000))
    return q.reduce(Phasor(1)) { product, q in
      product * (isHigh ? s * s : Phasor(1)) / (s * s + s * Phasor(1 / q) + Phasor(1))
    }
  }

  private static func springs(
    _ unit: BuiltInUnit, _ parameters: [String: Float], frames: Int
  ) throws -> [Float] {
    let alone: [String: Float] = ["mix": 100, "low_cut": 20]
    return try unit.host(alone.merging(parameters) { $1 }).impulseResponse(frames: frames)
  }
}
