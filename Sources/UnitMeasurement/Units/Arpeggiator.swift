extension MeasuredUnit {
  static let arpeggiator = MeasuredUnit(
    "aumi/arpg/bkln",
    figures: [
      // At 120 beats per minute and 48 kHz a beat is 24,000 frames.
      Figure(
        "Starts and ends of ten steps, four rates and tempos, gate 50 %: latest or earliest",
        in: "ms", .atMost(0.01)
      ) { unit in
        let settings: [(Float, Float, Double)] = [
          (0.25, 120, 6000), (1, 120, 24_000), (0.125, 60, 6000), (0.5, 240, 6000),
        ]
        let errors = try settings.flatMap { rate, tempo, frames -> [Double] in
          try stepErrors(of: unit, rate: rate, tempo: tempo, step: frames / 48_000)
        }
        return Deviation.worst(errors)
      }
    ]
  ) { unit in
    Plot(
      "Notes for a chord of C, E and G, two octaves, by mode", x: .seconds(1.5, step: 0.25),
      y: Plot.Axis("Note", 56...84, step: 4),
      try ["Up", "Down", "Up and Down"].enumerated().map { mode, name in
        let notes = try played(unit, ["mode": Float(mode), "octaves": 2, "gate": 100])
        return Plot.Curve.notes(name, notes)
      })
  }

  /// Returns the notes for a chord held for 1.5 seconds.
  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float] = [:]
  ) throws -> [PlayedNote] {
    try unit.host(parameters).notes(
      seconds: 1.5, events: [60, 64, 67].map { .midi([0x90, $0, 100], at: 0) })
  }

  /// Returns how late ten steps of that many seconds, which a key starts, begin and end, ms.
  private static func stepErrors(
    of unit: BuiltInUnit, rate: Float, tempo: Float, step: Double
  ) throws -> [Double] {
    let start = 100 / 48_000.0
    let host = try unit.host(["rate": rate, "tempo": tempo, "gate": 50])
    let notes = host.notes(
      seconds: start + 10 * step, events: [60, 67, 64].map { .midi([0x90, $0, 100], at: 100) })
    guard notes.count == 10 else { return [.infinity] }
    return notes.enumerated().flatMap { index, note -> [Double] in
      let expected = start + Double(index) * step
      return [1000 * (note.start - expected), 1000 * (note.end - expected - step / 2)]
    }
  }
}
