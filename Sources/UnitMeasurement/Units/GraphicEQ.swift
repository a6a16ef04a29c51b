import Foundation

extension MeasuredUnit {
  static let graphicEQ = graphicEQ("aufx/eqgr/bkln", lowest: 31.25, octaves: 1)
  static let graphicEQ31 = graphicEQ(
    "aufx/eq31/bkln", lowest: 1000 * exp2(-17.0 / 3), octaves: 1.0 / 3)

  private static func graphicEQ(_ code: String, lowest: Double, octaves: Double) -> MeasuredUnit {
    @Sendable func response(
      of unit: BuiltInUnit, frames: Int = 16_384, _ gain: (Int) -> Float
    ) throws -> FrequencyResponse {
      let faders = unit.parameters.dropLast().enumerated().map { band, parameter in
        (String(cString: parameter.identifier), gain(band))
      }
      let host = try unit.host(Dictionary(uniqueKeysWithValues: faders))
      return FrequencyResponse(host, frames: frames)
    }
    return MeasuredUnit(
      code, material: .chords,
      figures: [
        Figure("Faders up and down in turn by 12 dB, farthest centre", in: "dB", .atMost(0.2)) {
          unit in
          let response = try response(of: unit, frames: 65_536) { $0 % 2 == 0 ? 12 : -12 }
          let errors = (0..<unit.parameters.count - 1).map { band in
            let measured = response.gain(at: lowest * exp2(Double(band) * octaves))
            return abs(measured - (band % 2 == 0 ? 12 : -12))
          }
          return errors.max() ?? .infinity
        },
        Figure("All faders at 6 dB, farthest from 6 dB", in: "dB", .atMost(0.3)) { unit in
          let response = try response(of: unit) { _ in 6 }
          let errors = (0...36).map { step in
            abs(response.gain(at: 31.25 * exp2(Double(step) / 4)) - 6)
          }
          return errors.max() ?? .infinity
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
