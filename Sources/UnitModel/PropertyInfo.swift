/// A setting of a unit that is not a number, such as a sound file's path.
public struct PropertyInfo: Sendable, Equatable, Codable {
  public var identifier: String
  /// For people.
  public var name: String
  /// Whether the value is a path, relative to the folder of the file that names it.
  public var isPath: Bool
  /// Whether the unit writes its sound, such as a loop, to that path; the file may be missing.
  public var holdsSound: Bool
  /// Whether the unit is silent without the property.
  public var isRequired: Bool

  /// The identifier of what a plug-in holds beside its parameters and other properties, as a text.
  package static let state = "state"

  public init(
    identifier: String, name: String, isPath: Bool = false, holdsSound: Bool = false,
    isRequired: Bool = false
  ) {
    self.identifier = identifier
    self.name = name
    self.isPath = isPath
    self.holdsSound = holdsSound
    self.isRequired = isRequired
  }
}
