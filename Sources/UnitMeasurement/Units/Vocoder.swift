import Foundation

extension MeasuredUnit {
  static let vocoder = MeasuredUnit(
    "aufx/voco/bkln", material: .voice,
    figures: [
      edges(of: 8), edges(of: 20), edges(of: 40), neighbours(of: 8), neighbours(of: 20),
      neighbours(of: 40),
      Figure("Release of 100 ms: time to -8.69 dB", in: "ms", .near(100, within: 3)) { unit in
        let output = try released(unit, 100)
        let start = Level.peak(output[10_080..<10_200])
        let end = stride(from: 10_080, to: 23_800, by: 24).first {
          Level.peak(output[$0..<$0 + 120]) <= start - 8.686
        }
        return Double((end ?? 0) - 10_080) / 48
      },
      Figure("Fall in half of a release of 20 or 500 ms, beside 4.34 dB", in: "dB", .atMost(0.25)) {
        unit in
        try [20.0, 500].map { release in
          let output = try released(unit, release)
          let end = 10_080 + Int(release * 24)
          let fall = Level.peak(output[10_080..<10_560]) - Level.peak(output[end..<end + 480])
          return abs(fall - Level.decibels(exp(0.5)))
        }.worst
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
        return Correlation.coefficient(levels[0], levels[1])
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

  /// Measures the edges of bands beside a Butterworth band-pass of fourth order on either side.
  private static func edges(of bands: Int) -> Figure {
    Figure("Worst edge of \(bands) bands beside its formula", in: "dB", .atMost(0.2)) { unit in
      try measured(of: bands).flatMap { band -> [Double] in
        let centre = try levels(unit, bands, at: VocoderBands.frequency(of: band, of: bands))[band]
        return try [-0.5, 0.5].map { place in
          let frequency = VocoderBands.frequency(of: band, of: bands, at: place)
          let edge = try levels(unit, bands, at: frequency)[band]
          return abs(edge - centre - response(of: band, of: bands, at: place))
        }
      }.worst
    }
  }

  private static func neighbours(of bands: Int) -> Figure {
    Figure("Worst neighbour of \(bands) bands at their centres", in: "dB", .atMost(-24)) { unit in
      try measured(of: bands).map { band in
        let levels = try levels(unit, bands, at: VocoderBands.frequency(of: band, of: bands))
        return max(levels[band - 1], levels[band + 1]) - levels[band]
      }.max() ?? .nan
    }
  }

  private static func measured(of bands: Int) -> StrideTo<Int> {
    stride(from: bands / 4, to: bands - 1, by: max(1, bands / 5))
  }

  /// Returns the gain of a band `place` bands beside its centre, by the bilinear transform, dB.
  private static func response(of band: Int, of bands: Int, at place: Double) -> Double {
    func warped(_ place: Double) -> Double {
      tan(.pi * VocoderBands.frequency(of: band, of: bands, at: place) / 48_000)
    }
    let (middle, below, here) = (warped(0), warped(-1), warped(place))
    // 2 at the centre of the band below.
    let distance = 2 * (here / middle - middle / here) / (middle / below - below / middle)
    return -10 * log10(1 + pow(distance, 8))
  }

  /// Returns the readings of all bands for a sine, when they have settled, dB.
  private static func levels(
    _ unit: BuiltInUnit, _ bands: Int, at frequency: Double
  ) throws -> [Double] {
    let host = try unit.host(["bands": Float(bands), "attack": 10, "release": 100])
    _ = host.play(Signals.sine(frequency: frequency, frames: 72_000))
    return VocoderBands.levels(host)
  }

  /// Returns the output for a voice in one band that ends after 9600 frames; the filter rings out
  /// within another 480.
  private static func released(_ unit: BuiltInUnit, _ release: Double) throws -> [Float] {
    let sine = Signals.sine(frequency: VocoderBands.frequency(of: 16, of: 20), frames: 33_600)
    let voice = Array(sine.prefix(9600)) + Signals.constant(0, frames: 24_000)
    return try unit.host(["release": Float(release), "sibilance": 0]).render(
      inputs: [[voice], [sine]], frames: sine.count)[0]
  }
}

/// The bands of the vocoder, from 80 Hz to 12 kHz.
package enum VocoderBands {
  /// Returns the centre of a band, or a frequency `place` bands beside it, Hz.
  package static func frequency(of band: Int, of bands: Int, at place: Double = 0) -> Double {
    80 * pow(150, (Double(band) + 0.5 + place) / Double(bands))
  }

  /// Returns the readings of all bands, dB.
  package static func levels(_ host: UnitHost) -> [Double] {
    var values = [Float](repeating: 0, count: 40)
    let count = host.descriptor.pointee.read_telemetry(host.unit, 0, &values)
    return values.prefix(Int(count)).map(Double.init)
  }
}
