extension MeasuredUnit {
  static let chord = MeasuredUnit(
    "aumi/chrd/bkln",
    figures: [
      Figure(
        "From the first note of a strum of 120 ms to the last", in: "ms", .near(120, within: 0.02)
      ) {
        unit in
        let notes = try played(unit, ["strum": 120])
        return (notes[notes.count - 1].start - notes[0].start) * 1000
      },
      Figure("Notes that begin again while they sound", in: "", .near(0, within: 0)) { unit in
        let host = try unit.host()
        let notes = host.notes(
          seconds: 1, events: [60, 64, 67].flatMap { UnitHost.Event.key($0, from: 0, to: 0.8) })
        return Double(
          notes.count { note in
            notes.contains { $0.note == note.note && $0.start < note.start && $0.end > note.start }
          })
      },
    ]
  ) { unit in
    Plot(
      "Notes for C4 held for half a second, strummed over 200 ms", x: .seconds(0.5, step: 0.1),
      y: Plot.Axis("Note", 60...78, step: 3),
      try [("Minor 9", 15, 0, 0), ("Minor 9, inversion 2, down", 15, 2, 1)].map {
        (name: String, type: Float, inversion: Float, direction: Float) in
        let notes = try played(
          unit,
          ["type": type, "strum": 200, "inversion": inversion, "direction": direction])
        return Plot.Curve.notes(name, notes)
      })
  }

  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [PlayedNote] {
    try unit.host(parameters).notes(seconds: 0.6, events: UnitHost.Event.key(60, from: 0, to: 0.5))
  }
}
