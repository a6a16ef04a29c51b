import Foundation

extension MeasuredUnit {
  static let midiFilter = MeasuredUnit(
    "aumi/mflt/bkln",
    figures: [
      Figure("Keys that pass the zone C3 to B3", in: "", .near(12, within: 0)) { unit in
        let host = try unit.host(["low_key": 48, "high_key": 59])
        return Double((0..<128).count { host.note(for: UInt8($0)) != nil })
      },
      Figure("Messages of a panic", in: "", .near(80, within: 0)) { unit in
        let host = try unit.host()
        _ = host.render(frames: 64, events: [.parameter(host.address("panic"), 1, at: 0)])
        return Double(host.sentMIDI.count)
      },
      // minimum + (maximum - minimum) x^g, with g = 2^(-curve / 50).
      Figure("Mapped controllers, farthest from the curve", in: "", .atMost(0.51)) { unit in
        try ([-100, 0, 50, 100] as [Float]).map { curve in
          let settings = ["map.curve": curve, "map.minimum": 100, "map.maximum": 20]
          let exponent = exp2(-Double(curve) / 50)
          return try (0..<128).map { value in
            let exact = 100 - 80 * pow(Double(value) / 127, exponent)
            return abs(try controller(unit, UInt8(value), settings) - exact)
          }.worst
        }.worst
      },
    ]
  ) { unit in
    Plot(
      "Value sent over the controller's value, by curve and range",
      x: Plot.Axis("Value played", 0...127, step: 16),
      y: Plot.Axis("Value sent", 0...127, step: 16),
      try [
        ("Curve -100 %", -100, 0, 127), ("Curve 100 %", 100, 0, 127),
        ("Range 40 to 100", 0, 40, 100),
        ("Range 127 to 0", 0, 127, 0),
      ].map { (name: String, curve: Float, minimum: Float, maximum: Float) in
        let settings = ["map.curve": curve, "map.minimum": minimum, "map.maximum": maximum]
        return Plot.Curve(
          name,
          try stride(from: 0, through: 127, by: 8).map { value in
            Plot.Point(Double(value), try controller(unit, UInt8(value), settings))
          })
      })
  }

  /// Returns the value that the unit maps a modulation wheel value to; infinity if it sends none.
  private static func controller(
    _ unit: BuiltInUnit, _ value: UInt8, _ parameters: [String: Float]
  ) throws -> Double {
    let host = try unit.host(parameters)
    _ = host.render(frames: 64, events: [.midi([0xB0, 1, value], at: 0)])
    return host.sentMIDI.first.map { Double($0.bytes[2]) } ?? .infinity
  }
}
