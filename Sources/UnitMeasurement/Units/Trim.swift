import Foundation

extension MeasuredUnit {
  static let trim = MeasuredUnit(
    "auol/trim/bkln", material: nil,
    figures: [
      Figure("Burst in faint noise, pad 10 ms: wrong frames", in: "", .atMost(0)) { unit in
        var sound = Signals.noise(frames: 24_000).map { $0 * 1e-4 }
        let sine = Signals.sine(frequency: 500, amplitude: 0.5, frames: 4800)
        sound.replaceSubrange(4800..<9600, with: sine)
        sound[9599] = 0.5
        // A sine begins at 0, so its second frame is the first that is loud enough.
        return try [4321..<10_080, 4321..<24_000, 0..<10_080].enumerated().map { sides, range in
          let host = try unit.host(["threshold": -50, "pad": 0.01, "sides": Float(sides)])
          return host.renderOffline([sound])[0].differences(from: Array(sound[range]))
        }.worst
      }
    ]
  ) { unit in
    let output = try unit.host(["pad": 0.01]).renderOffline([burst])[0]
    return Plot(
      "0.1 s of noise in silence, and what a pad of 10 ms leaves of it",
      x: .seconds(0.3, step: 0.1), y: Plot.Axis("Highest of 1 ms", 0...1, step: 0.2),
      [
        Plot.Curve("input", Plot.Point.crests(of: burst)),
        Plot.Curve("output", Plot.Point.crests(of: output)),
      ])
  }

  /// 4800 frames of noise, 4800 after the beginning.
  private static var burst: [Float] {
    let silence = Signals.constant(0, frames: 4800)
    var noise = Signals.noise(frames: 4800)
    (noise[0], noise[4799]) = (0.5, 0.5)
    return silence + noise + silence
  }
}
