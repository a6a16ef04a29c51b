import Foundation

extension MeasuredUnit {
  static let parametricEQ = MeasuredUnit(
    "aufx/eqpm/bkln", material: .voice,
    presetMaterial: ["Bass Tight": .bass, "Master Tilt": .mix],
    figures: [
      Figure("Each type, farthest from its analogue prototype", in: "dB", .atMost(0.05)) { unit in
        let frequencies: [Double] = [40, 90, 1000, 3500, 8000, 11_000, 14_000, 16_400]
        return try (0..<9).flatMap { type -> [Double] in
          let bands: [Band] = [(type, 120, 1, 12), (type, 3000, 0.5, -9), (type, 12_000, 1, 18)]
          return try bands.flatMap { band -> [Double] in
            try [44_100.0, 48_000, 192_000].map { rate in
              try error(of: unit, [band], at: frequencies, sampleRate: rate)
            }
          }
        }.worst
      },
      // No filter meets some of these prototypes at four frequencies; the unit's does at three.
      Figure("Bands near half the sample rate, farthest up to 18 kHz", in: "dB", .atMost(0.05)) {
        unit in
        let bands: [Band] = [
          (0, 12_000, 1, 12), (1, 15_885, 2, 18), (2, 22_000, 2, 6), (1, 12_617, 1.41, 24),
          (7, 12_617, 1.41, -12), (2, 12_170, 10, -24), (6, 22_000, 10, 0),
        ]
        let frequencies = Array(stride(from: 1000.0, through: 18_000, by: 500))
        return try bands.map { try error(of: unit, [$0], at: frequencies) }.worst
      },
      Figure("Eight bands at once, farthest from their prototypes", in: "dB", .atMost(0.05)) {
        unit in
        let bands: [Band] = [
          (3, 30, 0.7, 0), (1, 120, 0.7, -6), (0, 400, 3, 9), (0, 900, 8, -15), (0, 2000, 0.5, 4),
          (0, 5000, 2, -3), (2, 9000, 0.7, 8), (4, 16_000, 0.9, 0),
        ]
        let frequencies: [Double] = [45, 130, 420, 900, 2100, 5000, 9500, 15_000]
        return try error(of: unit, bands, at: frequencies, output: -2)
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

  private typealias Band = (type: Int, frequency: Double, q: Double, gain: Double)

  /// Returns the largest difference of bands from their prototypes, dB.
  private static func error(
    of unit: BuiltInUnit, _ bands: [Band], at frequencies: [Double], sampleRate: Double = 48_000,
    output: Float = 0
  ) throws -> Double {
    var parameters = ["output": output]
    for (index, band) in bands.enumerated() {
      parameters["band\(index + 1).type"] = Float(band.type)
      parameters["band\(index + 1).frequency"] = Float(band.frequency)
      parameters["band\(index + 1).q"] = Float(band.q)
      parameters["band\(index + 1).gain"] = Float(band.gain)
    }
    let host = try unit.host(sampleRate: sampleRate, parameters)
    let response = FrequencyResponse(host, frames: 12_000)
    return frequencies.map { frequency in
      let expected = bands.reduce(Double(output)) { $0 + gain(of: $1, at: frequency) }
      return abs(response.gain(at: frequency) - expected)
    }.worst
  }

  /// Returns the gain of an analogue prototype, dB.
  private static func gain(of band: Band, at frequency: Double) -> Double {
    let x = frequency / band.frequency
    func power(_ factors: Factors) -> Double {
      pow(factors.2 - factors.0 * x * x, 2) + pow(factors.1 * x, 2)
    }
    let (numerator, denominator) = prototype(of: band)
    return 10 * log10(power(numerator) / power(denominator))
  }

  /// The factors of s², s and 1.
  private typealias Factors = (Double, Double, Double)

  /// Returns the numerator and the denominator of a type in Robert Bristow-Johnson's cookbook.
  private static func prototype(of band: Band) -> (Factors, Factors) {
    let (q, a) = (band.q, pow(10, band.gain / 40))
    let plain: Factors = (1, 1 / q, 1)
    switch band.type {
    case 0: return ((1, a / q, 1), (1, 1 / (a * q), 1))
    case 1: return ((a, pow(a, 1.5) / q, a * a), (a, a.squareRoot() / q, 1))
    case 2: return ((a * a, pow(a, 1.5) / q, a), (1, a.squareRoot() / q, a))
    case 3: return ((1, 0, 0), plain)
    case 4: return ((0, 0, 1), plain)
    case 5: return ((1, 0, 1), plain)
    case 6: return ((0, 1 / q, 0), plain)
    case 7: return ((a * a, a / q, 1), (1, a / q, a * a))
    default: return (plain, plain)
    }
  }
}
