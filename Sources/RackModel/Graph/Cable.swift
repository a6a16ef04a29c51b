import Documents

/// Where a cable begins or ends.
public enum Endpoint: Sendable, Hashable {
  /// A port of the rack: an input as a source, an output as a destination.
  case port(Int)
  /// A unit's bus: an output bus as a source, an input bus as a destination.
  case unit(Int, bus: Int)

  /// The unit, where it is one.
  public var unit: Int? {
    if case .unit(let unit, _) = self { unit } else { nil }
  }
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

/// Carries MIDI; several into one destination are merged.
///
/// A port is a MIDI port of the rack, and a unit's bus one of the cables that it sends or takes.
public struct MIDICable: Sendable, Equatable {
  public var source: Endpoint
  public var destination: Endpoint
  /// The arrow in the rack file.
  public var position: SourcePosition

  public init(source: Endpoint, destination: Endpoint, position: SourcePosition) {
    self.source = source
    self.destination = destination
    self.position = position
  }

  /// From the same place to the same place?
  public func connectsLike(_ other: MIDICable) -> Bool {
    source == other.source && destination == other.destination
  }
}
