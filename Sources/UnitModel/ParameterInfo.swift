/// One row of a unit's parameter table.
public struct ParameterInfo: Sendable, Equatable, Codable {
  /// The permanent identifier, of letters, digits and `_`; "cutoff".
  public var identifier: String
  /// The key path of the group, or nil at the top level; "filter.envelope".
  public var group: String?
  /// The display name; "Cutoff".
  public var name: String
  public var unit: ParameterUnit
  /// The lowest value, in `unit`.
  public var minimum: Float
  /// The highest value, in `unit`.
  public var maximum: Float
  /// The default value, in `unit`.
  public var defaultValue: Float
  public var curve: ParameterCurve
  public var flags: ParameterFlags
  /// The names of the values from the minimum on; empty if they have none.
  public var valueStrings: [String]
  /// The name of the unit if it is `.custom`.
  public var unitName: String?
  /// The key paths of the parameters whose meaning or range depends on this parameter's value.
  public var dependentParameters: [String]
  /// The rank in a small view, from 1; nil for parameters that it may leave out.
  public var overviewRank: Int?

  public init(
    identifier: String, group: String? = nil, name: String, unit: ParameterUnit = .generic,
    minimum: Float, maximum: Float, defaultValue: Float, curve: ParameterCurve = .linear,
    flags: ParameterFlags = .default, valueStrings: [String] = [],
    unitName: String? = nil, dependentParameters: [String] = [], overviewRank: Int? = nil
  ) {
    self.identifier = identifier
    self.group = group
    self.name = name
    self.unit = unit
    self.minimum = minimum
    self.maximum = maximum
    self.defaultValue = defaultValue
    self.curve = curve
    self.flags = flags
    self.valueStrings = valueStrings
    self.unitName = unitName
    self.dependentParameters = dependentParameters
    self.overviewRank = overviewRank
  }

  /// Whether the parameter exists once for each input bus.
  public var isPerInputBus: Bool { flags.contains(.perInputBus) }

  /// Whether the parameter is a button, without a value.
  public var isMomentary: Bool { flags.contains(.momentary) }

  /// Whether states, presets and rack files contain its value.
  public var isStored: Bool { flags.contains(.writable) && !isMomentary }

  /// The group and identifier; for a template, the part after the bus's name.
  public var keyPath: String {
    group.map { "\($0).\(identifier)" } ?? identifier
  }

  /// Returns the possible value nearest to `value`: within the range, and an integer if the
  /// parameter is not continuous.
  public func nearest(to value: Float) -> Float {
    let held = min(max(value, minimum), maximum)
    return isWhole ? (held + 0.5).rounded(.down) : held
  }

  /// Whether the parameter has only integer values.
  public var isWhole: Bool { [.indexed, .boolean].contains(unit) }

  /// Whether the parameter has values between any two others.
  public var isContinuous: Bool { flags.contains(.rampable) && !isWhole }

  /// The named values, in order, each with its name.
  public var namedValues: [(name: String, value: Float)] {
    valueStrings.enumerated().map { ($1, minimum + Float($0)) }
  }
}
