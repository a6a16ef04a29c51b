import BacklineTestSupport

/// A built-in unit with its figures and its picture; a file a unit in Units/.
package struct MeasuredUnit: Sendable, CustomStringConvertible {
  package let unit: BuiltInUnit
  package let figures: [Figure]
  /// A graph of what the unit does to sound, drawn from renderings of the unit.
  package let picture: @Sendable (BuiltInUnit) throws -> Plot

  package init(
    _ code: String, figures: [Figure], picture: @escaping @Sendable (BuiltInUnit) throws -> Plot
  ) {
    unit = BuiltInUnit(code)
    self.figures = figures
    self.picture = picture
  }

  package static let all: [MeasuredUnit] = [
    arpeggiator,
    bitCrusher,
    compressor,
    delay,
    distortion,
    formatConverter,
    gain,
    highPassFilter,
    looper,
    lowPassFilter,
    mixer,
    panner,
    player,
    ringModulator,
    sineInstrument,
    stereoTools,
    transposer,
    tremolo,
    velocityCurve,
  ]

  package var name: String { String(cString: unit.facts.name) }

  /// The name of its page and of its picture: "low-pass-filter".
  package var pageName: String { name.lowercased().replacing(" ", with: "-") }

  package var description: String { "\(unit)" }
}
