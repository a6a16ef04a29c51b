extension MeasuredUnit {
  static let mono = MeasuredUnit(
    "aumi/mono/bkln",
    figures: [
      Figure("Notes that sound at once, ten keys held", in: "", .near(1, within: 0)) { unit in
        let notes = try unit.host().notes(
          seconds: 1,
          events: (0..<10).flatMap {
            UnitHost.Event.key(60 + UInt8($0), from: 0.05 * Double($0), to: 0.9)
          })
        return Double(
          notes.map { note in notes.count { $0.start <= note.start && $0.end > note.start } }.max()
            ?? 0)
      },
      Figure("Delay of a key", in: "ms", .near(0, within: 0)) { unit in
        let notes = try unit.host().notes(
          seconds: 0.5, events: UnitHost.Event.key(60, from: 0.25, to: 0.4))
        return notes.first.map { ($0.start - 0.25) * 1000 } ?? .infinity
      },
    ]
  ) { unit in
    Plot(
      "Notes for the keys C4, G4 and E4, each held until 1 s, by priority",
      x: .seconds(1, step: 0.25),
      y: Plot.Axis("Note", 58...70, step: 2),
      try [("Last", 0), ("Low", 1), ("High", 2)].map { (name: String, priority: Float) in
        let keys: [(UInt8, Double)] = [(60, 0), (67, 0.25), (64, 0.5)]
        let notes = try unit.host(["priority": priority]).notes(
          seconds: 1.1, events: keys.flatMap { UnitHost.Event.key($0.0, from: $0.1, to: 1) })
        // Keys released together leave the other notes a length of zero.
        return Plot.Curve.notes(name, notes.filter { $0.end > $0.start })
      })
  }
}
