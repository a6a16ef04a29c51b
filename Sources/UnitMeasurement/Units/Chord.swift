extension MeasuredUnit {
  static let chord = MeasuredUnit(
    "aumi/chrd/bkln",
    figures: [
      Figure(
        "Notes of strums of 0, 7, 60 and 200 ms, up and down: farthest from their times", in: "ms",
        .atMost(0.001)
      ) { unit in
        let errors = try ([0, 7, 60, 200] as [Float]).flatMap { time -> [Double] in
          try strumErrors(of: unit, time: time, falls: false)
            + strumErrors(of: unit, time: time, falls: true)
        }
        return Deviation.worst(errors)
      },
      Figure("Notes that begin again while they sound", in: "", .near(0, within: 0)) { unit in
        let host = try unit.host()
        let notes = host.notes(
          seconds: 1, events: [60, 64, 67].flatMap { UnitHost.Event.key($0, from: 0, to: 0.8) })
        guard !notes.isEmpty else { return .infinity }
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

  /// Returns how late the five notes of a strum begin and end, ms: one begins every `time` / 4.
  private static func strumErrors(
    of unit: BuiltInUnit, time: Float, falls: Bool
  ) throws -> [Double] {
    let host = try unit.host(["type": 14, "strum": time, "direction": falls ? 1 : 0])
    let notes = host.notes(seconds: 0.5, events: UnitHost.Event.key(60, from: 0, to: 0.4))
    let intervals: [Double] = falls ? [14, 10, 7, 4, 0] : [0, 4, 7, 10, 14]
    guard notes.map({ $0.note - 60 }) == intervals else { return [.infinity] }
    return notes.enumerated().flatMap { index, note -> [Double] in
      let start = (48 * Double(time) * Double(index) / 4).rounded() / 48
      return [1000 * note.start - start, 1000 * note.end - 400]
    }
  }

  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [PlayedNote] {
    try unit.host(parameters).notes(seconds: 0.6, events: UnitHost.Event.key(60, from: 0, to: 0.5))
  }
}
