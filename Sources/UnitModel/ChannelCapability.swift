/// Channel counts that an input and an output bus of a unit accept together.
public struct ChannelCapability: Sendable, Hashable, Codable {
  /// Any count; equal on both sides if both have this value.
  public static let same = -1
  /// Any count, independent of the other side.
  public static let any = -2

  public var input: Int
  public var output: Int

  public init(input: Int, output: Int) {
    self.input = input
    self.output = output
  }

  /// Whether the unit accepts `inputCount` input channels with `outputCount` output channels.
  public func allows(input inputCount: Int, output outputCount: Int) -> Bool {
    if input == Self.same && output == Self.same { return inputCount == outputCount }
    return allows(input: inputCount) && (output < 0 || output == outputCount)
  }

  /// Whether the unit accepts `inputCount` input channels with any number of output channels.
  public func allows(input inputCount: Int) -> Bool {
    input < 0 || input == inputCount
  }
}
