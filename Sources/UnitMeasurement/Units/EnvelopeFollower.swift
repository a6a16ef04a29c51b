import Foundation

extension MeasuredUnit {
  static let envelopeFollower = MeasuredUnit(
    "aufx/envf/bkln", material: nil,
    figures: [
      sines("peak", detector: 0), sines("RMS", detector: 1),
      // Up by 1 - exp(-t / attack); 10 ms after the end of the sound down by exp(-t / release).
      Figure(
        "Steps, attacks of 0.1 to 300 ms, releases of 1 to 1000 ms: worst difference", in: "",
        .atMost(1e-4)
      ) { unit in
        var errors: [Double] = []
        for attack in [0.1, 10, 300] {
          for release in [1.0, 40, 1000] {
            errors += try stepErrors(of: unit, attack: attack, release: release)
          }
        }
        return Deviation.worst(errors)
      },
    ]
  ) { unit in
    Plot(
      "Output for a tone of 0.3 s, by attack and release", x: .seconds(1, step: 0.1),
      y: Plot.Axis("Output", 0...1, step: 0.2),
      try ([(1, 50), (20, 200), (100, 500)] as [(Float, Float)]).map { attack, release in
        let host = try unit.host(["attack": attack, "release": release])
        let tone = Signals.sine(frequency: 220, frames: 14_400)
        let output = host.play(tone + Signals.constant(0, frames: 33_600))
        return Plot.Curve("\(Int(attack)) ms, \(Int(release)) ms", Plot.Point.over(output))
      })
  }

  /// Both detectors are flat once they have settled, whatever the times.
  private static func sines(_ name: String, detector: Float) -> Figure {
    Figure(
      "Output for sines of 41.2 Hz to 9 kHz, three times: farthest from their \(name)", in: "%",
      .atMost(5)
    ) { unit in
      let expected = detector == 0 ? 0.5 : 0.5 / 2.0.squareRoot()
      var errors: [Double] = []
      for frequency in [41.2, 60, 100, 1000, 9000] {
        let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 60_000)
        for (attack, release) in [(1, 50), (5, 200), (50, 50)] as [(Float, Float)] {
          // Below 50 Hz a peak is let go before the next.
          guard detector == 1 || frequency > 50 || release >= 200 else { continue }
          let host = try unit.host(["detector": detector, "attack": attack, "release": release])
          errors += host.play(sine).suffix(24_000).map { 100 * (Double($0) / expected - 1) }
        }
      }
      return Deviation.worst(errors)
    }
  }

  private static func stepErrors(
    of unit: BuiltInUnit, attack: Double, release: Double
  ) throws -> [Double] {
    let host = try unit.host([
      "sensitivity": -6, "attack": Float(attack), "release": Float(release),
    ])
    let length = 96_000
    let output = host.play(
      Signals.constant(-0.25, frames: length) + Signals.constant(0, frames: length))
    let full = 0.25 * Level.amplitude(6)
    let top = full * (1 - exp(-Double(length + 480) / 48 / attack))
    return stride(from: 0, to: length, by: 13).flatMap { frame -> [Double] in
      let risen = full * (1 - exp(-Double(frame + 1) / 48 / attack))
      let fallen = top * exp(-Double(max(0, frame + 1 - 480)) / 48 / release)
      return [
        Double(output[frame]) - risen, frame < 480 ? 0 : Double(output[length + frame]) - fallen,
      ]
    }
  }
}
