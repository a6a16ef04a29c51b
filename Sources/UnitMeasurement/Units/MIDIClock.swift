extension MeasuredUnit {
  static let midiClock = MeasuredUnit(
    "aumi/clok/bkln",
    figures: [
      Figure(
        "Farthest tick after the first from its place in a minute at 133.7 bpm", in: "frames",
        .atMost(0.502)
      ) { unit in
        let ticks = try ticks(unit, tempo: 133.7, seconds: 60)
        return ticks.enumerated().dropFirst().map {
          $0.element - Double($0.offset) * distance(133.7)
        }.worst
      },
      Figure("Ticks in a minute at 125 bpm", in: "", .near(3000, within: 0)) { unit in
        Double(try ticks(unit, tempo: 125, seconds: 60).count)
      },
    ]
  ) { unit in
    Plot(
      "Ticks sent over time at 120 beats per minute, by ratio", x: .seconds(1, step: 0.25),
      y: Plot.Axis("Ticks", 0...96, step: 24),
      try [("1/2", 2), ("1", 3), ("2", 4)].map { (name: String, ratio: Float) in
        let ticks = try ticks(unit, tempo: 120, seconds: 1, ["ratio": ratio])
        return Plot.Curve(
          name, ticks.enumerated().map { Plot.Point($0.element / 48_000, Double($0.offset + 1)) })
      })
  }

  /// Returns the distance between two ticks, frames.
  private static func distance(_ tempo: Double) -> Double { 60 * 48_000 / (24 * tempo) }

  /// Returns the frames of the ticks while the transport rolls from its start.
  private static func ticks(
    _ unit: BuiltInUnit, tempo: Double, seconds: Int, _ parameters: [String: Float] = [:]
  ) throws -> [Double] {
    let host = try unit.host(parameters)
    host.roll(tempo: tempo)
    _ = host.render(frames: 48_000 * seconds)
    return host.sentMIDI.filter { $0.bytes == [0xF8] }.map { Double($0.sampleTime) }
  }
}
