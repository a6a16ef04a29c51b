import Foundation

extension MeasuredUnit {
  static let midiLFO = MeasuredUnit(
    "aumi/lfcc/bkln",
    figures: [
      Figure("Farthest value of 14 bits from a sine of 0.5 Hz", in: "of 16384", .atMost(0.51)) {
        unit in
        let host = try unit.host(["rate": 0.5, "resolution": 1])
        _ = host.render(frames: 96_000)
        var (upper, farthest) = (0, 0.0)
        for message in host.sentMIDI {
          if message.bytes[1] == 1 {
            upper = Int(message.bytes[2])
          } else {
            let exact = 16_383 * (0.5 + 0.5 * sin(.pi * Double(message.sampleTime) / 48_000))
            farthest = max(farthest, abs(Double(128 * upper + Int(message.bytes[2])) - exact))
          }
        }
        return farthest
      },
      Figure("Most messages a second, 7 bits, a saw of 20 Hz", in: "", .atMost(750)) { unit in
        let host = try unit.host(["rate": 20, "shape": 2])
        _ = host.render(frames: 48_000)
        return Double(host.sentMIDI.count)
      },
    ]
  ) { unit in
    Plot(
      "Values sent, rate 2 Hz, by shape", x: .seconds(1.5, step: 0.25),
      y: Plot.Axis("Value", 0...127, step: 16),
      try [(0, "Sine"), (2, "Saw Up"), (5, "Sample and Hold"), (6, "Smooth Random")].map {
        (shape: Float, name: String) in
        let host = try unit.host(["shape": shape, "rate": 2])
        _ = host.render(frames: 72_000)
        // A value lasts until the next.
        let points = host.sentMIDI.map {
          Plot.Point(Double($0.sampleTime) / 48_000, Double($0.bytes[2]))
        }
        let steps = zip(points, points.dropFirst()).flatMap { [$0, Plot.Point($1.x, $0.y)] }
        return Plot.Curve(
          name, shape == 5 ? steps : stride(from: 0, to: points.count, by: 4).map { points[$0] })
      })
  }
}
