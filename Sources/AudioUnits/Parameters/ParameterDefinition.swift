import UnitModel

/// The definition of a node of a parameter tree.
public indirect enum ParameterDefinition: Sendable {
  /// A parameter. Its position in the tree determines its group, not the `group` of its info.
  case parameter(ParameterInfo, address: UInt64)
  /// A group; its identifier is permanent, letters, digits and `_`.
  case group(String, name: String, children: [ParameterDefinition])
  /// A group made from a template: each of the template's addresses plus `addressOffset`.
  case instance(
    of: ParameterGroupTemplate, identifier: String, name: String, addressOffset: UInt64)
}

/// A group that occurs several times in a tree, such as four oscillators or the busses of a mixer.
///
/// Addresses are relative to the instance's offset; dependent parameters are looked up in the instance
/// first.
public struct ParameterGroupTemplate: Sendable {
  public var children: [ParameterDefinition]

  public init(children: [ParameterDefinition]) {
    self.children = children
  }
}

/// The reason why a tree cannot be built.
public struct ParameterTreeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The key path of the faulty node.
  public let keyPath: String
  public let reason: String
  public var description: String { "parameter \(keyPath): \(reason)" }
}
