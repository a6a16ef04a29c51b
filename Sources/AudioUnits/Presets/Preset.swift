/// A preset's number and name, by which hosts identify it.
public struct Preset: Sendable, Hashable {
  /// The number: from 0 for presets that ship, negative for user presets.
  public var number: Int
  public var name: String

  /// Creates a preset to look up by number alone: `Preset(number: 2)`.
  public init(number: Int, name: String = "") {
    self.number = number
    self.name = name
  }

  /// Whether a person has saved the preset.
  public var isUserPreset: Bool { number < 0 }
}
