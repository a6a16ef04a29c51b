import Foundation

extension MeasuredUnit {
  static let mixer = MeasuredUnit(
    "aumx/mixr/bkln",
    figures: [
      Figure("Mono input, farthest gain from equal power over pan", in: "", .atMost(1e-6)) { unit in
        try pans.map { pan in
          let (left, right) = try sides(unit, channels: 1, pan: pan)
          let angle = (pan + 1) * .pi / 4
          return max(abs(left - cos(angle)), abs(right - sin(angle)))
        }.worst
      },
      Figure("Stereo input, farthest gain from its balance over pan", in: "", .atMost(1e-6)) {
        unit in
        try pans.map { pan in
          let (left, right) = try sides(unit, channels: 2, pan: pan)
          let falling = cos(abs(pan) * .pi / 2)
          return max(abs(left - (pan > 0 ? falling : 1)), abs(right - (pan < 0 ? falling : 1)))
        }.worst
      },
    ]
  ) { unit in
    let places = Array(stride(from: -1.0, through: 1.001, by: 0.05))
    let mono = try places.map { ($0, try sides(unit, channels: 1, pan: $0)) }
    let stereo = try places.map { ($0, try sides(unit, channels: 2, pan: $0)) }
    return Plot(
      "Gain of an input over its pan, mono and stereo",
      x: Plot.Axis("Pan (left to right)", -1...1, step: 0.5),
      y: Plot.Axis("Gain", 0...1.2, step: 0.2),
      [
        Plot.Curve("mono, left", mono.map { Plot.Point($0, $1.left) }),
        Plot.Curve("mono, right", mono.map { Plot.Point($0, $1.right) }),
        Plot.Curve("stereo, left", stereo.map { Plot.Point($0, $1.left) }),
        Plot.Curve("stereo, right", stereo.map { Plot.Point($0, $1.right) }),
      ])
  }

  private static let pans = Array(stride(from: -1.0, through: 1, by: 0.125))

  /// Returns the gains of both sides; stereo inputs have 1 on the left and -1 on the right.
  private static func sides(
    _ unit: BuiltInUnit, channels: Int, pan: Double
  ) throws -> (left: Double, right: Double) {
    let host = try UnitHost(unit.descriptor, inputChannels: [channels], outputChannels: [2])
    host.set("pan", Float(pan))
    let output = host.render(inputs: [channels == 1 ? [[1]] : [[1], [-1]]], frames: 1)
    let right = Double(output[1][0])
    return (Double(output[0][0]), channels == 1 ? right : -right)
  }
}
