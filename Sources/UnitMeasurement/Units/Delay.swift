import Foundation

extension MeasuredUnit {
  static let delay = MeasuredUnit(
    "aufx/dely/bkln",
    figures: [
      Figure("Echoes of 10 ms at 50 %, 8 to 192 kHz: worst difference", in: "dB", .atMost(-120)) {
        unit in
        let worst = try [8000.0, 44_100, 48_000, 192_000].map { sampleRate -> Double in
          let period = Int(sampleRate / 100)
          let host = try echoing(unit, sampleRate: sampleRate, ["time": 0.01, "feedback": 50])
          return Deviation.worst(of: host.impulseResponse(frames: 6 * period + 1)) { frame in
            let (turn, rest) = frame.quotientAndRemainder(dividingBy: period)
            return rest == 0 && turn > 0 ? pow(0.5, Double(turn - 1)) : 0
          }
        }
        return Level.decibels(Deviation.worst(worst))
      },
      // A time that stands is a whole number of frames, so that no echo loses treble or level.
      Figure(
        "39th echo of 37.5 ms, 16,537.5 frames, at 100 %: difference", in: "", .near(0, within: 0)
      ) { unit in
        let host = try echoing(
          unit, sampleRate: 44_100, ["time": 0.0375, "feedback": 100, "drive": 0])
        let burst = Signals.noise(frames: 1000).map { $0 * 0.5 }
        let output = host.play(burst + Signals.constant(0, frames: 40 * 1654 - 1000))
        return Deviation.worst(of: Array(output[(39 * 1654)...].prefix(1000)), from: burst)
      },
      Figure("Spurs of 13 kHz, modulated by 5 ms at 5 Hz", in: "dBc", .atMost(-90)) { unit in
        let host = try echoing(unit, ["time": 0.1, "feedback": 0, "rate": 5, "depth": 5])
        let spectrum = LineSpectrum(host.play(Signals.sine(frequency: 13_000, frames: 34_000)))
        return max(spectrum.peak(from: 20, to: 8000), spectrum.peak(from: 18_000, to: 23_900))
      },
      Figure("Spurs as the modulation starts, a head at a quarter", in: "dBc", .atMost(-80)) {
        unit in
        let host = try echoing(unit, ["time": 4003 / 48_000, "feedback": 0, "heads.quarter": 100])
        return host.spur(moving: "depth", to: 0.5)
      },
      Figure("Ducking by 12 dB: worst difference from its curve", in: "dB", .atMost(0.05)) { unit in
        let points: [(Double, Double)] = [(-60, 0), (-50, 0), (-35, -6), (-20, -12), (0, -12)]
        return Deviation.worst(
          try points.map { level, gain -> Double in
            let host = try echoing(unit, ["time": 0.01, "feedback": 0, "duck": 12])
            let echoes = host.play(Signals.constant(Float(Level.amplitude(level)), frames: 4800))
            return Level.peak(echoes.suffix(1)) - level - gain
          })
      },
      // What is in the line circulates bit by bit, past all that colours it, whatever comes in.
      Figure("Difference of a frozen line's turns, also ping-pong", in: "", .near(0, within: 0)) {
        unit in
        let errors = try ([0, 1] as [Float]).flatMap { pingPong -> [Double] in
          let host = try unit.host(
            channels: 2,
            [
              "time": 0.05, "mix": 100, "feedback": 60, "tone": 3000, "low_cut": 200,
              "drive": 12, "depth": 1, "diffusion": 70, "ping_pong": pingPong,
            ])
          let noise = Signals.noise(frames: 144_000).map { $0 * 0.3 }
          let output = host.play(
            [noise, noise], events: [.parameter(host.address("freeze"), 1, at: 24_000)])
          guard Level.peak(output[1].suffix(4800)) > -20 else { return [.infinity] }
          // By a second later the modulation has come to rest.
          return output.map { channel in
            Deviation.worst(
              of: Array(channel[72_000..<132_000]), from: Array(channel[76_800..<136_800]))
          }
        }
        return Deviation.worst(errors)
      },
      // The echo of an impulse is (1 - d) z + d ∏ (0.6 + z^M) / (1 + 0.6 z^M), z = exp(-iω).
      Figure("Diffusion: worst difference of the gain from the formula", in: "dB", .atMost(-80)) {
        unit in
        var differences: [Double] = []
        for percent in [30.0, 70] {
          let host = try echoing(unit, ["time": 0.05, "feedback": 0, "diffusion": Float(percent)])
          let echo = Array(host.impulseResponse(frames: 48_000)[2400...])
          for frequency in stride(from: 50.0, to: 20_000, by: 999) {
            differences.append(
              Spectrum.transform(echo, at: frequency).magnitude
                - diffusion(percent / 100, at: frequency).magnitude)
          }
        }
        return Level.decibels(Deviation.worst(differences))
      },
      // Above 100 % a sine grows until it fills the scale, and stays a sine.
      Figure("Aliases of a 4.9 kHz sine at 110 %", in: "dBc", .atMost(-90)) { unit in
        let host = try echoing(unit, ["time": 0.01, "feedback": 110])
        let output = host.play(Signals.sine(frequency: 4900, amplitude: 0.05, frames: 80_000))
        let fillsTheScale = Spectrum.amplitude(Array(output.suffix(4800)), at: 4900) > 0.9
        return fillsTheScale ? LineSpectrum(output).worstAlias(of: 4900) : .infinity
      },
    ]
  ) { unit in
    Plot(
      "Level after an impulse, time 100 ms, by feedback", x: .seconds(1.2, step: 0.2),
      y: .decibels(-80...0, step: 20, "Level of 10 ms"),
      try ([80, 50, 20] as [Float]).map { feedback in
        let host = try unit.host(["time": 0.1, "mix": 100, "feedback": feedback])
        let echoes = host.play([Float](repeating: 0, count: 240) + Signals.impulse(frames: 57_360))
        return Plot.Curve(
          "\(Int(feedback)) %", Plot.Point.levels(of: echoes.map { $0 * 22 }, window: 0.01))
      })
  }

  /// Returns an instance whose echoes alone are heard, with the tone open.
  private static func echoing(
    _ unit: BuiltInUnit, sampleRate: Double = 48_000, _ parameters: [String: Float]
  ) throws -> UnitHost {
    try unit.host(
      sampleRate: sampleRate, parameters.merging(["tone": 20_000, "mix": 100]) { own, _ in own })
  }

  private static func diffusion(_ share: Double, at frequency: Double) -> Phasor {
    let allpasses = [398, 571, 772, 1089].map { length -> Phasor in
      let angle: Double = -2 * Double.pi * frequency / 48_000 * Double(length)
      let past = Phasor(cos(angle), sin(angle))
      return (Phasor(0.6) + past) / (Phasor(1) + Phasor(0.6) * past)
    }
    return Phasor(1 - share) + Phasor(share) * allpasses.reduce(Phasor(1)) { $0 * $1 }
  }
}
