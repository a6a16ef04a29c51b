/// The channel counts of a unit's busses.
public struct ChannelCounts: Sendable, Equatable {
  /// One for each input bus.
  public var inputs: [Int]
  /// One for each output bus.
  public var outputs: [Int]
}
