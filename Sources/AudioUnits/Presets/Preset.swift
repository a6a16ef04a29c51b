/// A preset's number and name, by which hosts know it.
public struct Preset: Sendable, Hashable {
  /// From 0 on for presets that ship, below 0 for those that a person has saved.
  public var number: Int
  public var name: String

  public init(number: Int, name: String) {
    self.number = number
    self.name = name
  }

  /// Has a person saved it?
  public var isUserPreset: Bool { number < 0 }
}
