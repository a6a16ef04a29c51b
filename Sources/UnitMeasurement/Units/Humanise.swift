extension MeasuredUnit {
  static let humanise = MeasuredUnit(
    "aumi/humn/bkln",
    figures: [
      Figure("Mean delay, % of the timing: farthest from 50 %, 2 to 50 ms", in: "%", .atMost(5)) {
        unit in
        try timings.map { timing in
          let delays = try delays(unit, ["timing": timing])
          let mean = delays.reduce(0, +) / Double(delays.count)
          return abs(100 * mean / Double(timing) - 50)
        }.worst
      },
      Figure("Longest delay at a timing of 20 ms", in: "ms", .near(20, within: 0.5)) { unit in
        try delays(unit, ["timing": 20]).max() ?? 0
      },
      Figure("Change of a note's length", in: "ms", .atMost(0.0001)) { unit in
        try timings.flatMap { timing -> [Double] in
          try unit.host(["timing": timing]).notes(seconds: 21, events: strokes)
            .map { abs($0.end - $0.start - 0.02) * 1000 }
        }.worst
      },
    ]
  ) { unit in
    Plot(
      "Delays of 200 notes, the shortest first, by preset",
      x: Plot.Axis("Note", 0...200, step: 25), y: Plot.Axis("Delay (ms)", 0...50, step: 10),
      try [("Good Drummer", 5), ("Relaxed", 20), ("After Midnight", 45)].map {
        (name: String, timing: Float) in
        let delays = try delays(unit, ["timing": timing]).sorted()
        return Plot.Curve(
          name, delays.enumerated().map { Plot.Point(Double($0.offset + 1), $0.element) })
      })
  }

  private static let timings: [Float] = [2, 20, 50]

  /// 200 hits, one every 100 ms.
  private static let strokes = (0..<200).flatMap {
    UnitHost.Event.key(60, velocity: 80, from: 0.1 * Double($0), to: 0.1 * Double($0) + 0.02)
  }

  /// Returns the delays, milliseconds.
  private static func delays(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [Double] {
    try unit.host(parameters).notes(seconds: 21, events: strokes).enumerated().map { index, note in
      (note.start - 0.1 * Double(index)) * 1000
    }
  }
}
