import Foundation

extension MeasuredUnit {
  static let multibandCompressor = MeasuredUnit(
    "aufx/mbnd/bkln", material: .mix,
    presetMaterial: [
      "Even Voice": .voice, "Soft Presence": .voice, "Tight Bass": .bass, "Drum Punch": .drums,
    ],
    figures: [
      Figure("Ripple of three, four and five bands together", in: "dB", .atMost(0.01)) { unit in
        let crossovers: [[Float]] = [[120, 800, 4000, 10_000], [5000, 200, 201, 60]]
        return try (3...5).flatMap { bands in
          try crossovers.map { try ripple(of: unit, bands: bands, crossovers: $0) }
        }.worst
      },
      Figure(
        "Gain of each band alone: farthest from Linkwitz and Riley's", in: "dB", .atMost(0.05)
      ) { unit in
        try (3...5).map { try bandError(of: unit, bands: $0) }.worst
      },
      Figure(
        "Static curve of a band and its reading: farthest from the formula", in: "dB", .atMost(0.1)
      ) { unit in
        let ratios: [Float] = [0.5, 0.8, 2, 4, 100]
        return try ratios.map { try curveError(of: unit, ratio: $0) }.worst
      },
      Figure(
        "Gain during attack and release: farthest from the formula", in: "dB", .atMost(0.1)
      ) { unit in
        let times: [(Double, Double)] = [(20, 100), (2, 300), (50, 30)]
        return try times.map { try timeError(of: unit, attack: $0, release: $1) }.worst
      },
      Figure(
        "Change of level of a soft 7 kHz beside 60 Hz, 10 dB down or more", in: "dB",
        .near(0, within: 0.02)
      ) { unit in
        let low = Signals.sine(frequency: 60, amplitude: 0.9, frames: 48_000)
        let high = Signals.sine(frequency: 7000, amplitude: 0.001, frames: 48_000)
        let host = try unit.host(["band1.ratio": 20, "band1.threshold": -24])
        let settled = Array(host.play(zip(low, high).map { $0 + $1 }).suffix(24_000))
        let loud = Level.decibels(Spectrum.amplitude(settled, at: 60) / 0.9)
        guard loud < -10 else { return .infinity }
        return Level.decibels(Spectrum.amplitude(settled, at: 7000) / 0.001)
      },
    ]
  ) { unit in
    Plot(
      "The bands alone, and all together", x: .frequency, y: .decibels(-48...6, step: 6),
      try (1...4).map { band in
        let host = try unit.host(still.merging(["band\(band).solo": 1]) { $1 })
        return Plot.Curve("band \(band)", FrequencyResponse(host, frames: 16_384).curve())
      } + [Plot.Curve("all", FrequencyResponse(try unit.host(still), frames: 16_384).curve())])
  }

  /// The parameters with which no band has an effect.
  private static let still: [String: Float] = Dictionary(
    uniqueKeysWithValues: (1...5).map { ("band\($0).ratio", 1) })

  private static func ripple(
    of unit: BuiltInUnit, bands: Int, crossovers: [Float]
  ) throws -> Double {
    var parameters = still.merging(["bands": Float(bands)]) { $1 }
    for (index, crossover) in crossovers.enumerated() {
      parameters["crossover\(index + 1)"] = crossover
    }
    let response = FrequencyResponse(try unit.host(parameters), frames: 16_384)
    return response.curve(to: 21_900, points: 61).map { abs($0.y) }.worst
  }

  private static func bandError(of unit: BuiltInUnit, bands: Int) throws -> Double {
    try (1...bands).map { band in
      let solo: [String: Float] = ["bands": Float(bands), "band\(band).solo": 1]
      let host = try unit.host(still.merging(solo) { $1 })
      let response = FrequencyResponse(host, frames: 16_384)
      return [40.0, 120, 300, 800, 2000, 4000, 10_000, 15_000].map { frequency in
        let expected = gain(of: band, of: bands, at: frequency)
        return abs(max(response.gain(at: frequency), -90) - max(expected, -90))
      }.worst
    }.worst
  }

  /// Returns the gain of one of `bands` at a frequency, dB: Linkwitz and Riley's low-pass is a
  /// Butterworth low-pass twice, and so is their high-pass; the bilinear transform warps both.
  private static func gain(of band: Int, of bands: Int, at frequency: Double) -> Double {
    let warped = [120.0, 800, 4000, 10_000].map {
      tan(.pi * frequency / 48_000) / tan(.pi * $0 / 48_000)
    }
    let highPasses = warped.prefix(band - 1).map { -20 * log10(1 + pow($0, -4)) }
    let lowPass = band < bands ? -20 * log10(1 + pow(warped[band - 1], 4)) : 0
    return highPasses.reduce(0, +) + lowPass
  }

  /// Returns the farthest output and reading of any band from the static curve for the level within
  /// the band, dB. A ratio below 1 makes louder what is above the threshold.
  private static func curveError(of unit: BuiltInUnit, ratio: Float) throws -> Double {
    // The high frequencies are no simple parts of the sample rate, so that their crests are found.
    try [60.0, 310, 1790, 6190, 13_310].enumerated().map { index, frequency in
      let name = "band\(index + 1)"
      let settings: [String: Float] = [
        "bands": 5, "knee": 10, "\(name).threshold": -30, "\(name).ratio": ratio,
        "\(name).make_up": 3, "\(name).attack": 1, "\(name).release": 5, "\(name).solo": 1,
      ]
      let host = try unit.host(still.merging(settings) { $1 })
      return stride(from: -48.0, through: 0, by: 9.3).map { input in
        host.reset()
        let output = host.play(
          Signals.sine(frequency: frequency, amplitude: Level.amplitude(input), frames: 4800))
        let heard = input + gain(of: index + 1, of: 5, at: frequency)
        let excess = StaticCurve.excess(heard + 30, knee: 10)
        let reduction = max((1 - 1 / Double(ratio)) * excess, -24)
        let level = Level.rms(output.suffix(2400)) + 10 * log10(2)
        let reading = Double(host.value("\(name).gain_reduction"))
        return max(abs(level - (heard - reduction + 3)), abs(reading - reduction))
      }.worst
    }.worst
  }

  /// Returns the farthest level from equation 18 of the curve's paper after a hold of 10 ms, dB,
  /// for a level that rises and falls so slowly that the lowest band passes it unchanged. No other
  /// crossover delays it.
  private static func timeError(
    of unit: BuiltInUnit, attack: Double, release: Double
  ) throws -> Double {
    let host = try unit.host([
      "bands": 3, "crossover1": 20_000, "crossover2": 20_000, "knee": 0,
      "band1.threshold": -20, "band1.ratio": 4, "band1.attack": Float(attack),
      "band1.release": Float(release),
    ])
    let levels = (0..<36_000).map { frame -> Double in
      let rise = min(1, Double(frame) / 480)
      let fall = min(1, max(0, Double(frame - 12_000) / 480))
      return -40 + 20 * (cos(.pi * fall) - cos(.pi * rise))
    }
    let input = levels.map { Float(Level.amplitude($0)) }
    let output = host.play(input)
    var excess = 0.0
    var errors: [Double] = []
    for frame in 1..<36_000 {
      let held = levels[max(0, frame - 480)...frame].max() ?? 0
      let way = max(0, held + 20) - excess
      excess += way * (1 - exp(-1 / 48 / (way > 0 ? attack : release)))
      guard frame % 97 == 0 else { continue }
      errors.append(Level.gain(from: input[frame], to: output[frame]) + 0.75 * excess)
    }
    return Deviation.worst(errors)
  }
}
