/// The channel counts of a unit's busses.
public struct ChannelCounts: Sendable, Equatable {
  /// One for each input bus.
  public var inputs: [Int]
  /// One for each output bus.
  public var outputs: [Int]

  public init(inputs: [Int], outputs: [Int]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// Why a unit does not accept channel counts, and which counts it accepts.
public struct ChannelRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// "takes 1 or 2 channels, not 6", to follow the unit's name.
  public let description: String
}
