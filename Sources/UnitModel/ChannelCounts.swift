/// The channel counts of a unit's busses.
public struct ChannelCounts: Sendable, Equatable {
  /// The channel counts of the input busses.
  public var inputs: [Int]
  /// The channel counts of the output busses.
  public var outputs: [Int]
}
