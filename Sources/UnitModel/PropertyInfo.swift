/// A setting of a unit that is not a number, such as a sound file's path.
public struct PropertyInfo: Sendable, Equatable, Codable {
  public var identifier: String
  /// The display name.
  public var name: String
  /// The kind of value.
  public enum Kind: UInt32, Sendable, Codable {
    case text
    /// The path of a file to read, relative to the folder of the file that names it.
    case path
    /// The path of a file that may be missing: saving a rack writes the unit's data, such as a loop, into
    /// it.
    case dataFile
    /// The unit's own data, such as a learnt noise profile, as text.
    case data
  }
  public var kind: Kind
  /// Whether the unit is silent without the property.
  public var isRequired: Bool

  public init(
    identifier: String, name: String, kind: Kind = .text, isRequired: Bool = false
  ) {
    self.identifier = identifier
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
  }

  /// Whether the value is the path of a file.
  public var isPath: Bool { kind == .path || kind == .dataFile }
}
