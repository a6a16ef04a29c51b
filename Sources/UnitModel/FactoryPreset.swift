/// A preset that ships with a unit.
public struct FactoryPreset: Sendable, Equatable, Codable {
  public var name: String
  /// Values by address; parameters that are not named have their defaults.
  public var values: [UInt64: Float]

  /// Values of properties by identifier; properties that are not named stay.
  public var properties: [String: String]

  public init(
    name: String, values: [UInt64: Float], properties: [String: String] = [:]
  ) {
    self.name = name
    self.values = values
    self.properties = properties
  }
}
