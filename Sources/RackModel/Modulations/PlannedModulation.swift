import Documents

/// A checked modulation.
public struct PlannedModulation: Sendable, Equatable {
  /// An input of the rack, or an output bus of a unit.
  public var source: Endpoint
  /// From 1 on.
  public var sourceChannel: Int
  /// The unit's place in the plan.
  public var unit: Int
  /// Of the parameter.
  public var address: UInt64
  /// The percentage of the parameter's travel by which a sample of 1 moves it, -100 to 100.
  public var depth: Float
  /// Whether small samples move it less.
  public var isSquared = false
  /// Whether it is late by 64 frames, so that a loop can be played.
  public var isLate = false

  /// The most modulations of a rack.
  static let mostModulations = 256
  /// The most modulated parameters of a unit: a process takes so many steps at a time.
  static let mostParameters = 100

  /// The order in which it has the units rendered.
  package func cable(at position: SourcePosition) -> Cable {
    Cable(
      source: source, destination: .unit(unit, bus: 0), isFeedback: isLate,
      sourceChannel: sourceChannel, position: position)
  }
}
