import Foundation

extension MeasuredUnit {
  static let reverse = MeasuredUnit(
    "auol/rvrs/bkln", material: nil,
    figures: [
      Figure("Frames of noise that are not its reverse", in: "", .atMost(0)) { unit in
        let sound = [Signals.noise(frames: 5000), Signals.noise(frames: 5000, seed: 2)]
        let output = try unit.host(channels: 2).renderOffline(sound)
        return zip(output, sound).map { $0.differences(from: $1.reversed()) }.worst
      },
      Figure("There and Back: frames that are not a palindrome", in: "", .atMost(0)) { unit in
        let noise = Signals.noise(frames: 3001)
        let output = try unit.host(["way": 1]).renderOffline([noise])[0]
        return output.differences(from: noise + noise.reversed())
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
