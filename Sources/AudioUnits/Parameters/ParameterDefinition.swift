import UnitModel

/// What a parameter tree is to be made of.
public indirect enum ParameterDefinition: Sendable {
  /// A parameter. Its place in the tree counts, not the `group` of its info.
  case parameter(ParameterInfo, address: UInt64)
  /// A group; its identifier is permanent, letters, digits and `_`.
  case group(String, name: String, children: [ParameterDefinition])
  /// A group made from a template: each of the template's addresses plus `addressOffset`.
  case instance(
    of: ParameterGroupTemplate, identifier: String, name: String, addressOffset: UInt64)
}

/// A group that stands at several places of a tree: four oscillators, the busses of a mixer.
///
/// Addresses in it count from the instance's offset; the key paths that its parameters name as
/// dependent are looked up in the instance first.
public struct ParameterGroupTemplate: Sendable {
  public var children: [ParameterDefinition]

  public init(children: [ParameterDefinition]) {
    self.children = children
  }
}

/// Why a tree cannot be built.
public struct ParameterTreeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where in the tree.
  public let keyPath: String
  public let reason: String
  public var description: String { "parameter \(keyPath): \(reason)" }
}
