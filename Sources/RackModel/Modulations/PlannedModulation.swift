import Documents

/// A checked modulation.
public struct PlannedModulation: Sendable, Equatable {
  /// The source: an input of the rack, or an output bus of a unit.
  public var source: Endpoint
  /// The channel of the source, from 1 on.
  public var sourceChannel: Int
  /// The index in the plan of the modulated unit.
  public var unit: Int
  /// The address of the modulated parameter.
  public var address: UInt64
  /// The percentage of the parameter's travel by which a sample of 1 moves the parameter, -100 to 100.
  public var depth: Float
  /// Whether the curve is square: small samples move the parameter less.
  public var isSquared = false
  /// Whether the modulation is 64 frames late, so that a loop can be played.
  public var isLate = false

  /// The most modulations of a rack.
  static let maximumModulations = 256
  /// The most modulated parameters of a unit: a process accepts only so many steps at a time.
  static let maximumParameters = 100

  /// Returns the modulation as a cable, which orders the rendering of its units.
  package func cable(at position: SourcePosition) -> Cable {
    Cable(
      source: source, destination: .unit(unit, bus: 0), isFeedback: isLate,
      sourceChannel: sourceChannel, position: position)
  }
}
