import Foundation

extension MeasuredUnit {
  static let midiEcho = MeasuredUnit(
    "aumi/mech/bkln",
    figures: [
      Figure("Third echo at a time of 300 ms", in: "ms", .near(900, within: 0.01)) { unit in
        try played(unit, ["time": 0.3])[3].start * 1000
      },
      Figure("Its length, of a key held for 100 ms", in: "ms", .near(100, within: 0.03)) { unit in
        let note = try played(unit, ["time": 0.3])[3]
        return (note.end - note.start) * 1000
      },
      Figure(
        "Its velocity at 70 %, of a velocity of 100", in: "", .near(100 * pow(0.7, 3), within: 0.5)
      ) {
        unit in
        try played(unit, ["time": 0.3])[3].velocity
      },
    ]
  ) { unit in
    Plot(
      "Velocity of a key and its echoes, by velocity setting", x: .seconds(1.5, step: 0.25),
      y: Plot.Axis("Velocity", 0...100, step: 20),
      try [("100 %", 100), ("80 %", 80), ("50 %", 50)].map { (name: String, velocity: Float) in
        let notes = try played(unit, ["time": 0.25, "taps": 5, "velocity": velocity])
        return Plot.Curve.notes(name, notes, height: \.velocity)
      })
  }

  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [PlayedNote] {
    try unit.host(parameters).notes(seconds: 1.5, events: UnitHost.Event.key(60, from: 0, to: 0.1))
  }
}
