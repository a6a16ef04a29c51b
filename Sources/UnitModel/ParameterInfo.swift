/// One row of a unit's parameter table.
public struct ParameterInfo: Sendable, Equatable, Codable {
  /// Letters, digits and `_`, permanent; "cutoff".
  public var identifier: String
  /// Key path of the group, or nil at the top; "filter.envelope".
  public var group: String?
  /// For people; "Cutoff".
  public var name: String
  public var unit: ParameterUnit
  /// The least value, in `unit`.
  public var minimum: Float
  /// The greatest value, in `unit`.
  public var maximum: Float
  /// The value of a fresh instance, in `unit`.
  public var defaultValue: Float
  public var curve: ParameterCurve
  public var flags: ParameterFlags
  /// Names of the values from the minimum on; empty where they have none.
  public var valueStrings: [String]
  /// What people call the unit, where it is `.custom`.
  public var unitName: String?
  /// Key paths of the parameters whose meaning or range hangs on this one's value.
  public var dependentParameters: [String]
  /// 1 for what a small view shows first; nil for what it may leave out.
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

  /// Does the parameter exist once for each input bus?
  public var isPerInputBus: Bool { flags.contains(.perInputBus) }

  /// Group and identifier; of a template, what follows the bus's name.
  public var keyPath: String {
    group.map { "\($0).\(identifier)" } ?? identifier
  }

  /// The value nearest to `value` that the parameter can have: within its range, and a whole number
  /// where there is nothing between two.
  public func nearest(to value: Float) -> Float {
    let held = min(max(value, minimum), maximum)
    return isWhole ? (held + 0.5).rounded(.down) : held
  }

  /// Is there nothing between its values?
  public var isWhole: Bool { [.indexed, .boolean].contains(unit) }

  /// Can it be on its way from one value to another, and not only at one or the other?
  public var isContinuous: Bool { flags.contains(.rampable) && !isWhole }

  /// The values that have names, in order, each with its name.
  public var namedValues: [(name: String, value: Float)] {
    valueStrings.enumerated().map { ($1, minimum + Float($0)) }
  }
}
