import Foundation

extension MeasuredUnit {
  static let reverse = MeasuredUnit(
    "auol/rvrs/bkln", material: nil,
    figures: [
      Figure("Noise, reversed twice: difference", in: "", .near(0, within: 0)) { unit in
        let (host, noise) = (try unit.host(), Signals.noise(frames: 9600))
        let output = host.renderOffline(host.renderOffline([noise]))[0]
        return zip(output, noise).map { Double(abs($0 - $1)) }.max() ?? 1
      },
      Figure("There and Back: length of 0.1 s", in: "frames", .near(9600, within: 0)) { unit in
        Double(
          try unit.host(["way": 1]).renderOffline([Signals.noise(frames: 4800)])[0].count)
      },
    ]
  ) { unit in
    let sound = (0..<9600).map { frame -> Float in
      let decay = exp(-Double(frame) / 2400)
      return Float(decay * sin(2 * .pi * Double(frame) / 480))
    }
    let output = try unit.host().renderOffline([sound])[0]
    func curve(_ name: String, _ samples: [Float]) -> Plot.Curve {
      Plot.Curve(
        name,
        samples.enumerated().filter { $0.offset % 24 == 0 }.map {
          Plot.Point(Double($0.offset) / 48_000, Double($0.element))
        })
    }
    return Plot(
      "A plucked tone and its reverse", x: .seconds(0.2, step: 0.05),
      y: Plot.Axis("Sample", -1...1, step: 0.5),
      [curve("input", sound), curve("output", output)])
  }
}
