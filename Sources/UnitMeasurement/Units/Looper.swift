import Foundation

extension MeasuredUnit {
  static let looper = MeasuredUnit(
    "aufx/loop/bkln",
    figures: [
      Figure(
        "Length of a loop beside the time between the presses", in: "frames", .near(0, within: 0)
      ) { unit in
        let loop = try looped(unit, Signals.impulse(frames: 40_000), ["record", "record"])
        let repeats = loop.indices.filter { loop[$0] > 0.5 }
        guard repeats.count > 1 else { return .infinity }
        return Double(repeats[1] - repeats[0] - 12_345)
      },
      Figure(
        "Largest difference of a stereo loop's repeats from the second", in: "", .atMost(0)
      ) { unit in
        let noise = [UInt64(1), 2].map { Signals.noise(frames: 123_450, seed: $0) }
        let loops = try looped(unit, noise, ["record", "record"])
        guard loops[0] != loops[1] else { return .infinity }
        return loops.flatMap { loop -> [Double] in
          let second = Array(loop[24_690..<37_035])
          guard Level.peak(second) > -6 else { return [.infinity] }
          return (3...9).map { index in
            Deviation.worst(
              of: Array(loop[12_345 * index..<12_345 * (index + 1)]), from: second)
          }
        }.worst
      },
      Figure("Largest step at the seam of a sine, beside the sine's own", in: "dB", .atMost(0.2)) {
        unit in
        let sine = Signals.sine(frequency: 997, frames: 50_000)
        let loop = try looped(unit, sine, ["record", "record"])
        return Level.decibels(
          Double(Signals.largestStep(loop[24_000..<25_000]) / Signals.largestStep(sine)))
      },
    ]
  ) { unit in
    let notes = (0..<168_000).map { frame -> Float in
      let (first, second) = (Float(frame - 4800) / 48_000, Float(frame - 62_400) / 48_000)
      let tone = sin(2 * Float.pi * 440 * Float(frame) / 48_000)
      return tone * (first < 0 ? 0 : exp(-9 * first))
        + tone * (second < 0 ? 0 : 0.25 * exp(-9 * second))
    }
    let presses = ["record", "record", "overdub", "overdub", "undo", "redo"]
    let times = [0, 24_000, 48_000, 72_000, 108_000, 132_000]
    let host = try unit.host(["dry": -96, "memory": 10])
    let events = zip(presses, times).map { UnitHost.Event.parameter(host.address($0), 1, at: $1) }
    return Plot(
      "Level of a loop of 0.5 s: recorded from 0 s, a second note overdubbed at 1.3 s, undone at "
        + "2.25 s, brought back at 2.75 s", x: .seconds(3.5, step: 0.5),
      y: .decibels(-60...0, step: 10, "Level of 10 ms"),
      [
        Plot.Curve("Input", Plot.Point.levels(of: notes, window: 0.01)),
        Plot.Curve("Loop", Plot.Point.levels(of: host.play(notes, events: events), window: 0.01)),
      ])
  }

  /// Returns the loop alone, of 12345 frames; the second of `buttons` is pressed at its end.
  private static func looped(
    _ unit: BuiltInUnit, _ input: [Float], _ buttons: [String]
  ) throws -> [Float] {
    try looped(unit, [input], buttons)[0]
  }

  private static func looped(
    _ unit: BuiltInUnit, _ input: [[Float]], _ buttons: [String]
  ) throws -> [[Float]] {
    let host = try unit.host(channels: input.count, ["dry": -96, "memory": 10])
    return host.play(
      input,
      events: buttons.enumerated().map {
        .parameter(host.address($0.element), 1, at: 12_345 * $0.offset)
      })
  }
}
