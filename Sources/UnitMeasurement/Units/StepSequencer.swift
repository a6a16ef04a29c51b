extension MeasuredUnit {
  static let stepSequencer = MeasuredUnit(
    "aumi/step/bkln",
    figures: [
      Figure(
        "Start of steps in 10 s at 133.7 bpm: farthest from its place", in: "frames",
        .atMost(0.502)
      ) { unit in
        let notes = try unit.host(["tempo": 133.7]).notes(
          seconds: 10, events: [.midi([0x90, 60, 100], at: 0)])
        let step = 60 * 48_000 / Double(Float(133.7)) / 4
        return notes.enumerated().map { place, note in
          note.start * 48_000 - Double(place) * step
        }.worst
      },
      Figure(
        "Second eighth at a swing of 67 %, 120 bpm", in: "ms", .near(250 * 1.335, within: 0.02)
      ) {
        unit in
        let notes = try unit.host(["rate": 5, "swing": 67]).notes(
          seconds: 1, events: [.midi([0x90, 60, 100], at: 0)])
        return notes.count > 1 ? notes[1].start * 1000 : .infinity
      },
      Figure("Steps played at a probability of 50 %", in: "%", .near(50, within: 5)) { unit in
        let notes = try unit.host(["length": 1, "probability.1": 50, "tempo": 300]).notes(
          seconds: 50, events: [.midi([0x90, 60, 100], at: 0)])
        return Double(notes.count) / 10
      },
    ]
  ) { unit in
    Plot(
      "Notes of a bar at 120 beats per minute, by preset", x: .seconds(2, step: 0.25),
      y: Plot.Axis("Note", 30...66, step: 6),
      try [("Octave Bass", 36), ("Minor Sequence", 48)].map { (name: String, key: UInt8) in
        let notes = try unit.host(preset: name).notes(
          seconds: 2, events: [.midi([0x90, key, 100], at: 0)])
        return Plot.Curve.notes(name, notes)
      })
  }
}
