/// One row of a unit's parameter table.
public struct ParameterInfo: Sendable, Equatable, Codable {
  /// Letters, digits and `_`, permanent; "cutoff".
  public var identifier: String
  /// Key path of the group, or nil at the top; "filter.envelope".
  public var group: String?
  /// For people; "Cutoff".
  public var name: String
  public var unit: ParameterUnit
  /// The lowest value, in `unit`.
  public var minimum: Float
  /// The highest value, in `unit`.
  public var maximum: Float
  /// The value of a new instance, in `unit`.
  public var defaultValue: Float
  public var curve: ParameterCurve
  public var flags: ParameterFlags
  /// Names of the values from the minimum on; empty where they have none.
  public var valueStrings: [String]
  /// The name of the unit where it is `.custom`.
  public var unitName: String?
  /// Key paths of the parameters whose meaning or range depends on this parameter's value.
  public var dependentParameters: [String]
  /// The place in a small view, from 1; nil for parameters that it may leave out.
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

  /// Whether it is a button, without a value.
  public var isMomentary: Bool { flags.contains(.momentary) }

  /// Whether states, presets and rack files have its value.
  public var isStored: Bool { flags.contains(.writable) && !isMomentary }

  /// Group and identifier; of a template, the part behind the bus's name.
  public var keyPath: String {
    group.map { "\($0).\(identifier)" } ?? identifier
  }

  /// The value nearest to `value` that the parameter can have: within its range, and a whole number
  /// where there is nothing between two.
  public func nearest(to value: Float) -> Float {
    let held = min(max(value, minimum), maximum)
    return isWhole ? (held + 0.5).rounded(.down) : held
  }

  /// Whether it has only whole values.
  public var isWhole: Bool { [.indexed, .boolean].contains(unit) }

  /// Whether it has values between two others.
  public var isContinuous: Bool { flags.contains(.rampable) && !isWhole }

  /// The values that have names, in order, each with its name.
  public var namedValues: [(name: String, value: Float)] {
    valueStrings.enumerated().map { ($1, minimum + Float($0)) }
  }
}
