/// A preset that ships with a unit.
public struct FactoryPreset: Sendable, Equatable, Codable {
  public var name: String
  /// The values by address; parameters that are not listed have their defaults.
  public var values: [UInt64: Float]

  /// The property values by identifier; properties that are not listed stay.
  public var properties: [String: String]

  public init(
    name: String, values: [UInt64: Float], properties: [String: String] = [:]
  ) {
    self.name = name
    self.values = values
    self.properties = properties
  }
}
