/// The last values of parameters that have changed.
public struct ValuesChanged: RackEvent {
  public static let name = "values"
  private var byParameter: [String: ParameterReading]

  /// The readings, in order of path.
  public var readings: [ParameterReading] {
    byParameter.values.sorted { $0.parameter < $1.parameter }
  }
  public var lines: [String] { readings.map { "\($0.parameter)  \($0.text)" } }

  init(_ readings: [ParameterReading]) {
    byParameter = Dictionary(readings.map { ($0.parameter, $0) }) { $1 }
  }

  public mutating func absorb(_ newer: ValuesChanged) {
    byParameter.merge(newer.byParameter) { $1 }
  }

  /// Removes the values of these parameters; returns false if none is left.
  mutating func remove(_ others: ValuesChanged) -> Bool {
    for parameter in others.byParameter.keys { byParameter[parameter] = nil }
    return !byParameter.isEmpty
  }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([ParameterReading].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(readings)
  }
}
