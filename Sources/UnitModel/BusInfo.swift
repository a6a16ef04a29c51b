/// One input or output bus as a unit declares it.
public struct BusInfo: Sendable, Equatable, Codable {
  /// What a rack file calls it; unique among the unit's busses of its direction.
  public var name: String
  /// Channels when nobody asks for others.
  public var defaultChannelCount: Int
  /// The unit sounds right with nothing connected here: a sidechain, a modulation input.
  public var isOptional: Bool

  public init(name: String, defaultChannelCount: Int, isOptional: Bool = false) {
    self.name = name
    self.defaultChannelCount = defaultChannelCount
    self.isOptional = isOptional
  }
}
