/// Everything that a person has set on a unit: the content of a preset and of a saved rack.
///
/// Parameters are stored by key path and properties by identifier, never by address, so that a state
/// outlives the version of the unit that wrote it. Unknown parameters and entries are kept.
public struct UnitState: Sendable, Equatable, Codable {
  /// The unit that the state belongs to.
  public var component: ComponentDescription
  /// The version of the unit that wrote it; 0x00MMmmpp.
  public var version: UInt32
  /// The preset's name, if the state is a preset.
  public var presetName: String?
  /// The preset's number: from 0 for those that ship, negative for user presets.
  public var presetNumber: Int?
  /// The values by key path, in the parameters' units; parameters that are not listed have their
  /// defaults.
  public var parameters: [String: Float] = [:]
  /// The text settings by identifier, such as a sound file's path.
  public var properties: [String: String] = [:]
  /// Parameters that the unit does not have, as written.
  public var unknownParameters: [String: String] = [:]
  /// Entries of a file written by a later version, as YAML text.
  package var unknownEntries: String?

  /// Creates a state in which every parameter has its default.
  public init(component: ComponentDescription, version: UInt32) {
    (self.component, self.version) = (component, version)
  }

  /// Creates the state of these values, by address.
  public init(_ facts: UnitFacts, values: [UInt64: Float], presetName: String? = nil) {
    self.init(component: facts.component, version: facts.version)
    self.presetName = presetName
    for (address, value) in values {
      if let keyPath = facts.parameter(at: address)?.keyPath { parameters[keyPath] = value }
    }
  }

  /// Creates the state of one of the unit's own presets.
  public init(_ facts: UnitFacts, preset: FactoryPreset) {
    self.init(facts, values: preset.values, presetName: preset.name)
    properties = preset.properties
  }

  /// Returns the values by address, each the nearest possible one, for a unit with `inputBusCount`
  /// input busses (nil: the declared count).
  public func values(for facts: UnitFacts, inputBusCount: Int? = nil) -> [UInt64: Float] {
    var values: [UInt64: Float] = [:]
    for (keyPath, value) in parameters {
      if let found = facts.parameter(atKeyPath: keyPath, inputBusCount: inputBusCount) {
        values[found.address] = found.info.nearest(to: value)
      }
    }
    return values
  }
}
