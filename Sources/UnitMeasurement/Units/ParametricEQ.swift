import Foundation

extension MeasuredUnit {
  static let parametricEQ = MeasuredUnit(
    "aufx/eqpm/bkln", material: .voice,
    presetMaterial: ["Bass Tight": .bass, "Master Tilt": .mix],
    figures: [
      Figure(
        "Bell of 12 dB at 12 kHz, farthest from the analogue bell up to 18 kHz", in: "dB",
        .atMost(0.05)
      ) { unit in
        let response = FrequencyResponse(
          try unit.host(["band7.frequency": 12_000, "band7.gain": 12, "band7.q": 1]))
        let amplitude = pow(10, 12.0 / 40)
        let errors = stride(from: 20.0, through: 18_000, by: 620).map { frequency in
          let x = pow(frequency / 12_000 - 12_000 / frequency, 2)
          let power = (x + pow(amplitude, 2)) / (x + pow(amplitude, -2))
          return abs(response.gain(at: frequency) - 10 * log10(power))
        }
        return errors.max() ?? .infinity
      },
      Figure(
        "Low shelf of 18 dB at 15.9 kHz with a Q of 2, farthest from the analogue shelf up to 18 kHz",
        in: "dB", .atMost(0.05)
      ) { unit in
        let response = FrequencyResponse(
          try unit.host([
            "band8.type": 1, "band8.frequency": 15_900, "band8.gain": 18, "band8.q": 2,
          ]))
        let root = pow(10, 18.0 / 40)
        let errors = stride(from: 20.0, through: 18_000, by: 310).map { frequency in
          let x = pow(frequency / 15_900, 2)
          let slope = root * x / 4
          let above = pow(root - x, 2) + slope
          let below = pow(1 - root * x, 2) + slope
          return abs(response.gain(at: frequency) - 10 * log10(root * root * above / below))
        }
        return errors.max() ?? .infinity
      },
      Figure(
        "Bell of 24 dB from 20 Hz to 20 kHz in 10 ms, peak of 3 kHz beyond 24 dB", in: "dB",
        .atMost(1)
      ) { unit in
        let host = try unit.host(["band1.frequency": 20, "band1.gain": 24])
        let sweep = UnitHost.Event.parameter(
          host.address("band1.frequency"), 20_000, ramp: 480, at: 4800)
        let sine = Signals.sine(frequency: 3000, amplitude: 0.01, frames: 9600)
        let output = host.render(inputs: [[sine]], frames: 9600, events: [sweep])[0]
        return Level.peak(output) + 40 - 24
      },
      Figure("Noise under 1 kHz at -6 dBFS in eight bands of ±6 dB", in: "dBFS", .atMost(-140)) {
        unit in
        let gains = (1...8).map { ("band\($0).gain", $0 % 2 == 0 ? 6 : -6 as Float) }
        let host = try unit.host(Dictionary(uniqueKeysWithValues: gains))
        let sine = Signals.sine(frequency: 1000, amplitude: 0.5, frames: 96_000)
        return LineSpectrum(host.play(sine)).peak(from: 20, to: 20_000, except: [1000])
      },
      Figure(
        "Low cut of 48 dB per octave at 100 Hz, at 50 Hz", in: "dB", .near(-48.16, within: 0.05)
      ) { unit in
        let host = try unit.host(["band1.type": 3, "band1.frequency": 100, "band1.slope": 4])
        return FrequencyResponse(host, frames: 16_384).gain(at: 50)
      },
      Figure("Side of a bell in the middle", in: "dB", .atMost(-140)) { unit in
        let host = try unit.host(channels: 2, ["band5.gain": 12, "band5.placement": 1])
        let noise = Signals.noise(frames: 4096)
        let output = host.play([noise, noise.map { -$0 }])
        return Level.peak(zip(output[0], noise).map { $0 - $1 })
      },
    ]
  ) { unit in
    let bells = try ([-18, -9, 9, 18] as [Float]).map { gain in
      let host = try unit.host(["band7.frequency": 10_000, "band7.gain": gain, "band7.q": 1])
      return Plot.Curve("\(Int(gain)) dB", FrequencyResponse(host).curve())
    }
    let cuts = try ([(1, "12 dB/oct"), (4, "48 dB/oct")] as [(Float, String)]).map { slope, name in
      let host = try unit.host(["band1.type": 3, "band1.frequency": 80, "band1.slope": slope])
      return Plot.Curve(name, FrequencyResponse(host).curve())
    }
    return Plot(
      "Gain of a bell at 10 kHz by gain, with a Q of 1, and of a low cut by slope", x: .frequency,
      y: .decibels(-48...24, step: 12), bells + cuts)
  }
}
