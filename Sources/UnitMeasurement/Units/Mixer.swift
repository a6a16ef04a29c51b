extension MeasuredUnit {
  static let mixer = MeasuredUnit(
    "aumx/mixr/bkln",
    figures: [
      Figure("Each side of a mono input in the middle", in: "dB", .near(-3.01, within: 0.01)) {
        unit in
        Level.decibels(try sides(unit, channels: 1, pan: 0).left)
      },
      Figure("Power of a mono input, worst over all of pan", in: "dB", .near(0, within: 0.001)) {
        unit in
        let errors = try stride(from: -1.0, through: 1, by: 0.1).map { pan in
          let (left, right) = try sides(unit, channels: 1, pan: pan)
          return Level.decibels((left * left + right * right).squareRoot())
        }
        return errors.max { abs($0) < abs($1) } ?? .nan
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

  /// Returns both sides of the output for an input of 1.
  private static func sides(
    _ unit: BuiltInUnit, channels: Int, pan: Double
  ) throws -> (left: Double, right: Double) {
    let host = try UnitHost(unit.descriptor, inputChannels: [channels], outputChannels: [2])
    host.set("pan", Float(pan))
    let ones = [[Float]](repeating: [1], count: channels)
    let output = host.render(inputs: [ones], frames: 1)
    return (Double(output[0][0]), Double(output[1][0]))
  }
}
