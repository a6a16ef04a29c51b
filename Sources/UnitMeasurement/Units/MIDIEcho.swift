import Foundation

extension MeasuredUnit {
  static let midiEcho = MeasuredUnit(
    "aumi/mech/bkln",
    figures: [
      Figure("Start of the third echo at a time of 300 ms", in: "ms", .near(900, within: 0.01)) {
        try third($0) { $0.start * 1000 }
      },
      Figure(
        "Length of the third echo, of a key held for 100 ms", in: "ms", .near(100, within: 0.03)
      ) {
        try third($0) { ($0.end - $0.start) * 1000 }
      },
      Figure(
        "Velocity of the third echo at 70 %, of a velocity of 100", in: "",
        .near(100 * pow(0.7, 3), within: 0.5)
      ) {
        try third($0) { $0.velocity }
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

  /// Returns a value of the third echo, which comes after 300 ms each; infinity if there is none.
  private static func third(
    _ unit: BuiltInUnit, _ value: (PlayedNote) -> Double
  ) throws -> Double {
    let notes = try played(unit, ["time": 0.3])
    return notes.count > 3 ? value(notes[3]) : .infinity
  }

  private static func played(
    _ unit: BuiltInUnit, _ parameters: [String: Float]
  ) throws -> [PlayedNote] {
    try unit.host(parameters).notes(seconds: 1.5, events: UnitHost.Event.key(60, from: 0, to: 0.1))
  }
}
