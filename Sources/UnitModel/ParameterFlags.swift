/// Properties of a parameter; the bits of the unit ABI.
public struct ParameterFlags: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let readable = ParameterFlags(rawValue: 1 << 0)
  public static let writable = ParameterFlags(rawValue: 1 << 1)
  /// The unit follows ramps; without this a host sends plain changes only.
  public static let rampable = ParameterFlags(rawValue: 1 << 2)
  /// A template: the parameter exists once for each input bus, in a group named like the bus.
  public static let perInputBus = ParameterFlags(rawValue: 1 << 3)
  /// A button: each event with the value 1 is a press, and the value is 0 at all times.
  public static let momentary = ParameterFlags(rawValue: 1 << 4)
  /// The unit also changes the value itself.
  public static let movedByUnit = ParameterFlags(rawValue: 1 << 5)
  /// The unit formats and parses the texts of values.
  public static let hasText = ParameterFlags(rawValue: 1 << 6)

  /// The usual flags: readable, writable, rampable.
  public static let `default`: ParameterFlags = [.readable, .writable, .rampable]
}
