/// An array of values that a unit shows while it is watched, such as a response or a waveform.
public struct TelemetryInfo: Sendable, Equatable, Codable {
  public enum Kind: UInt32, Sendable, Codable {
    /// Values along an axis of the unit's own.
    case curve
    /// The latest samples of a signal inside the unit, oldest first.
    case samples
  }

  public var identifier: String
  /// The display name.
  public var name: String
  public var kind: Kind
  /// The maximum number of values.
  public var capacity: Int

  public init(identifier: String, name: String, kind: Kind = .curve, capacity: Int) {
    (self.identifier, self.name, self.kind, self.capacity) = (identifier, name, kind, capacity)
  }
}
