/// A preset's number and name, by which hosts know it.
public struct Preset: Sendable, Hashable {
  /// From 0 for presets that ship, below 0 for those that a person has saved.
  public var number: Int
  public var name: String

  /// A preset to look up by number alone: `Preset(number: 2)`.
  public init(number: Int, name: String = "") {
    self.number = number
    self.name = name
  }

  /// Whether a person has saved it.
  public var isUserPreset: Bool { number < 0 }
}
