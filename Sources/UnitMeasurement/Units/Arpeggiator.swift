extension MeasuredUnit {
  static let arpeggiator = MeasuredUnit(
    "aumi/arpg/bkln",
    figures: [
      Figure("A sixteenth at 120 beats per minute", in: "ms", .near(125, within: 0.01)) { unit in
        let notes = try played(unit)
        return (notes[5].start - notes[1].start) / 4 * 1000
      },
      Figure("A note of it at a gate of 50 %", in: "ms", .near(62.5, within: 0.01)) { unit in
        let note = try played(unit, ["gate": 50])[1]
        return (note.end - note.start) * 1000
      },
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
}
