import Foundation

extension MeasuredUnit {
  static let vocoder = MeasuredUnit(
    "aufx/voco/bkln", material: .voice,
    figures: [
      Figure("A band's edges, beside its centre", in: "dB", .near(-3, within: 0.3)) { unit in
        let centre = try level(of: 10, by: unit, at: 0)
        let edges = try [-0.5, 0.5].map { try level(of: 10, by: unit, at: $0) - centre }
        return edges.max { abs($0 + 3) < abs($1 + 3) } ?? 0
      },
      Figure("A band at its neighbour's centre", in: "dB", .atMost(-24)) { unit in
        let centre = try level(of: 10, by: unit, at: 0)
        return try max(level(of: 10, by: unit, at: 1), level(of: 10, by: unit, at: -1)) - centre
      },
      Figure("Release of 100 ms: time to -8.69 dB", in: "ms", .near(100, within: 3)) { unit in
        let voice = Signals.sine(frequency: frequency(of: 16), frames: 9600)
        let host = try unit.host(["release": 100, "sibilance": 0])
        let output = host.render(
          inputs: [
            [voice + Signals.constant(0, frames: 14_400)],
            [Signals.sine(frequency: frequency(of: 16), frames: 24_000)],
          ], frames: 24_000)[0]
        // Measure from 10 ms on, when the filter has rung out.
        let start = Level.peak(output[10_080..<10_200])
        let end = stride(from: 10_080, to: 23_800, by: 24).first {
          Level.peak(output[$0..<$0 + 120]) <= start - 8.686
        }
        return Double((end ?? 0) - 10_080) / 48
      },
      Figure("Loudness of speech and of what is made of it, correlation", in: "", .atLeast(0.9)) {
        unit in
        let voice = Material.voice.samples
        let output = try unit.host().render(inputs: [[voice]], frames: voice.count)[0]
        // The low bands lag by some 20 ms.
        let levels = [voice[...], output.dropFirst(960)].map { signal in
          Plot.Point.levels(of: Array(signal.prefix(190_000)), window: 0.02).map {
            Level.amplitude($0.y)
          }
        }
        return correlation(levels[0], levels[1])
      },
    ]
  ) { unit in
    Plot(
      "Gain for a carrier while the voice is a sine of 1 kHz, by bands", x: .frequency,
      y: .decibels(-72...0, step: 12),
      try ([8, 20, 40] as [Float]).map { bands in
        let host = try unit.host(["bands": bands, "sibilance": 0, "attack": 10, "release": 100])
        let voice = Signals.sine(frequency: 1000, frames: 64_000)
        let carrier = Signals.constant(0, frames: 48_000) + Signals.impulse(frames: 16_000)
        let output = host.render(inputs: [[voice], [carrier]], frames: 64_000)[0]
        let curve = FrequencyResponse(of: Array(output.suffix(16_000))).curve(points: 241)
        let top = curve.map(\.y).max() ?? 0
        return Plot.Curve("\(Int(bands))", curve.map { Plot.Point($0.x, max($0.y - top, -72)) })
      })
  }

  /// Returns the centre of one of twenty bands, or a frequency `place` bands beside it, Hz.
  private static func frequency(of band: Int, at place: Double = 0) -> Double {
    80 * pow(150, (Double(band) + 0.5 + place) / 20)
  }

  /// Returns the reading of one of twenty bands for a sine `place` bands beside its centre, dB.
  private static func level(of band: Int, by unit: BuiltInUnit, at place: Double) throws -> Double {
    let host = try unit.host(["attack": 10, "release": 100])
    _ = host.play(Signals.sine(frequency: frequency(of: band, at: place), frames: 72_000))
    var values = [Float](repeating: 0, count: 40)
    _ = unit.descriptor.pointee.read_telemetry(host.unit, 0, &values)
    return Double(values[band])
  }

  private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
    let means = [a, b].map { $0.reduce(0, +) / Double($0.count) }
    let product = zip(a, b).map { ($0 - means[0]) * ($1 - means[1]) }.reduce(0, +)
    let squares = [(a, means[0]), (b, means[1])].map { values, mean in
      values.map { pow($0 - mean, 2) }.reduce(0, +)
    }
    return product / (squares[0] * squares[1]).squareRoot()
  }
}
