import AudioUnits
import UnitModel

/// Parameter trees that several tests share.
enum TestTrees {
  static func info(
    _ identifier: String, _ range: ClosedRange<Float> = 0...1, unit: ParameterUnit = .generic,
    flags: ParameterFlags = .default, dependents: [String] = [], rank: Int? = nil
  ) -> ParameterInfo {
    ParameterInfo(
      identifier: identifier, name: identifier.capitalized, unit: unit, minimum: range.lowerBound,
      maximum: range.upperBound, defaultValue: range.lowerBound, flags: flags,
      dependentParameters: dependents, overviewRank: rank)
  }

  /// Two oscillators from one template, a filter with an envelope in it, and a level.
  static func synthesizer() throws -> ParameterTree {
    let oscillator = ParameterGroupTemplate(children: [
      .parameter(info("shape", 0...3, unit: .indexed, dependents: ["width", "level"]), address: 0),
      .parameter(info("width", 0...100, unit: .percent), address: 1),
      .group(
        "pitch", name: "Pitch",
        children: [
          .parameter(info("tune", -12...12, unit: .semitones), address: 2)
        ]),
    ])
    return try ParameterTree(
      children: [
        .instance(of: oscillator, identifier: "osc1", name: "Oscillator 1", addressOffset: 100),
        .instance(of: oscillator, identifier: "osc2", name: "Oscillator 2", addressOffset: 200),
        .group(
          "filter", name: "Filter",
          children: [
            .parameter(info("cutoff", 20...20000, unit: .hertz, rank: 2), address: 1),
            .group(
              "envelope", name: "Envelope",
              children: [
                .parameter(info("attack", 0.001...10, unit: .seconds, rank: 1), address: 2)
              ]),
          ]),
        .parameter(info("meter", -96...0, unit: .decibels, flags: [.readable]), address: 4),
        .parameter(info("level", -96...12, unit: .decibels), address: 3),
      ], name: "Synthesizer")
  }

  /// `count` parameters `p0`, `p1` ..., each from 0 to `maximum`.
  static func flat(_ count: Int, maximum: Float = 1) throws -> ParameterTree {
    try ParameterTree(
      children: (0..<count).map {
        .parameter(info("p\($0)", 0...maximum), address: UInt64($0))
      })
  }
}
