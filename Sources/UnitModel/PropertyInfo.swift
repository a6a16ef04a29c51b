/// A setting of a unit that is not a number, such as a sound file's path.
public struct PropertyInfo: Sendable, Equatable, Codable {
  public var identifier: String
  /// For people.
  public var name: String
  /// The text is a path, taken from the folder of the file that names it.
  public var isPath: Bool
  /// Without it the unit is silent.
  public var isRequired: Bool

  public init(
    identifier: String, name: String, isPath: Bool = false, isRequired: Bool = false
  ) {
    self.identifier = identifier
    self.name = name
    self.isPath = isPath
    self.isRequired = isRequired
  }
}
