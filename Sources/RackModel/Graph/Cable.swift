import Documents

/// Where a cable begins or ends.
public enum Endpoint: Sendable, Hashable {
  /// A port of the rack: an audio input as a source, an audio output as a destination.
  case port(Int)
  /// A unit's bus: an output bus as a source, an input bus as a destination.
  case unit(Int, bus: Int)
}

/// Carries audio; several into one destination are summed.
///
/// A source of one channel feeds every channel of its destination; otherwise the counts agree.
public struct Cable: Sendable, Equatable {
  public var source: Endpoint
  public var destination: Endpoint
  /// Carries what the source rendered a cycle ago, so that a loop can be played.
  public var isFeedback: Bool
  /// The arrow in the rack file.
  public var position: SourcePosition

  public init(
    source: Endpoint, destination: Endpoint, isFeedback: Bool = false, position: SourcePosition
  ) {
    self.source = source
    self.destination = destination
    self.isFeedback = isFeedback
    self.position = position
  }
}

/// Sends a MIDI input of the rack to a unit.
public struct MIDICable: Sendable, Hashable {
  /// Place in the plan's MIDI inputs.
  public var port: Int
  /// Place in the plan's units.
  public var unit: Int

  public init(port: Int, unit: Int) {
    self.port = port
    self.unit = unit
  }
}
