/// One input or output bus as a unit declares it.
public struct BusInfo: Sendable, Equatable, Codable {
  /// The name in rack files; unique among the unit's busses of its direction.
  public var name: String
  /// The default number of channels.
  public var defaultChannelCount: Int
  /// Whether the bus may stay unconnected: a sidechain, a modulation input.
  public var isOptional: Bool

  public init(name: String, defaultChannelCount: Int, isOptional: Bool = false) {
    self.name = name
    self.defaultChannelCount = defaultChannelCount
    self.isOptional = isOptional
  }
}
