/// A preset that ships with a unit.
public struct FactoryPreset: Sendable, Equatable, Codable {
  public var name: String
  /// Values by address; parameters that are not named have their defaults.
  public var values: [UInt64: Float]

  public init(name: String, values: [UInt64: Float]) {
    self.name = name
    self.values = values
  }
}
