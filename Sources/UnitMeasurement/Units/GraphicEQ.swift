import Foundation

extension MeasuredUnit {
  static let graphicEQ = graphicEQ("aufx/eqgr/bkln", lowest: 31.25, octaves: 1, tolerance: 0.1)
  static let graphicEQ31 = graphicEQ(
    "aufx/eq31/bkln", lowest: 1000 * exp2(-17.0 / 3), octaves: 1.0 / 3, tolerance: 0.2)

  private static func graphicEQ(
    _ code: String, lowest: Double, octaves: Double, tolerance: Double
  ) -> MeasuredUnit {
    @Sendable func response(
      of unit: BuiltInUnit, sampleRate: Double = 48_000, frames: Int = 16_384,
      _ gain: (Int) -> Float
    ) throws -> FrequencyResponse {
      let faders = unit.parameters.dropLast().enumerated().map { band, parameter in
        (String(cString: parameter.identifier), gain(band))
      }
      let host = try unit.host(sampleRate: sampleRate, Dictionary(uniqueKeysWithValues: faders))
      return FrequencyResponse(host, frames: frames)
    }
    @Sendable func error(
      of unit: BuiltInUnit, sampleRate: Double, upTo highest: Double, _ gain: (Int) -> Float
    ) throws -> Double {
      let response = try response(of: unit, sampleRate: sampleRate, frames: 48_000, gain)
      return (0..<unit.parameters.count - 1).map { band in
        let centre = lowest * exp2(Double(band) * octaves)
        return centre < highest ? abs(response.gain(at: centre) - Double(gain(band))) : 0
      }.worst
    }
    return MeasuredUnit(
      code, material: .chords,
      figures: [
        Figure("Faders up and down by 12 dB, farthest centre", in: "dB", .atMost(tolerance)) {
          unit in
          try max(
            error(of: unit, sampleRate: 48_000, upTo: .infinity) { $0 % 2 == 0 ? 12 : -12 },
            error(of: unit, sampleRate: 44_100, upTo: 17_000) { $0 % 2 == 0 ? 12 : -12 })
        },
        Figure("Faders at random, farthest centre up to 17 kHz", in: "dB", .atMost(tolerance)) {
          unit in
          let noise = Signals.noise(frames: unit.parameters.count)
          return try max(
            error(of: unit, sampleRate: 48_000, upTo: 17_000) { 12 * noise[$0] },
            error(of: unit, sampleRate: 44_100, upTo: 17_000) { 12 * noise[$0] })
        },
        Figure("All faders at 6 dB, farthest from 6 dB", in: "dB", .atMost(0.3)) { unit in
          let response = try response(of: unit, frames: 48_000) { _ in 6 }
          let errors = (0...60).map { step in
            abs(response.gain(at: 31.25 * exp2(Double(step) * 9 / 60)) - 6)
          }
          return errors.worst
        },
      ]
    ) { unit in
      Plot(
        "Gain with all faders at 6 dB, one at 12 dB, and every other at -12 dB", x: .frequency,
        y: .decibels(-24...24, step: 6),
        [
          Plot.Curve("all", try response(of: unit) { _ in 6 }.curve()),
          Plot.Curve(
            "one", try response(of: unit) { $0 == unit.parameters.count / 2 ? 12 : 0 }.curve()),
          Plot.Curve("every other", try response(of: unit) { $0 % 2 == 0 ? 12 : -12 }.curve()),
        ])
    }
  }
}
