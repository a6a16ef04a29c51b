import BacklineTestSupport
import Foundation

extension MeasuredUnit {
  static let parametricEQ = MeasuredUnit(
    "aufx/eqpm/bkln", material: .voice,
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
