/// Everything that a person has set on a unit: the content of a preset and of a saved rack.
///
/// Parameters are stored by key path and properties by identifier, never by address, so that a state
/// outlives the version of the unit that wrote it. Unknown parameters and entries are kept.
public struct UnitState: Sendable, Equatable, Codable {
  /// The unit that the state belongs to.
  public var component: ComponentDescription
  /// Of the unit that wrote it; 0x00MMmmpp.
  public var version: UInt32
  /// The preset's name, where the state is a preset.
  public var presetName: String?
  /// A preset's number: from 0 on for those that ship, below 0 for a person's own.
  public var presetNumber: Int?
  /// By key path, in the parameters' units; parameters that are not named have their defaults.
  public var parameters: [String: Float] = [:]
  /// By identifier: settings that are text, such as a sound file's path.
  public var properties: [String: String] = [:]
  /// Parameters that the unit does not have, as they were written.
  public var unknownParameters: [String: String] = [:]
  /// Entries of a file that a later version wrote, as YAML text.
  package var unknownEntries: String?

  /// A state in which every parameter has its default.
  public init(component: ComponentDescription, version: UInt32) {
    (self.component, self.version) = (component, version)
  }

  /// The state that these values make, by address.
  public init(_ facts: UnitFacts, values: [UInt64: Float], presetName: String? = nil) {
    self.init(component: facts.component, version: facts.version)
    self.presetName = presetName
    for (address, value) in values {
      if let keyPath = facts.parameter(at: address)?.keyPath { parameters[keyPath] = value }
    }
  }

  /// The state that one of the unit's own presets makes.
  public init(_ facts: UnitFacts, preset: FactoryPreset) {
    self.init(facts, values: preset.values, presetName: preset.name)
    properties = preset.properties
  }

  /// The values by address, each the nearest that its parameter can have, for a unit with
  /// `inputBusCount` input busses (nil: those declared).
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
