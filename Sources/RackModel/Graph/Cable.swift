import Documents

/// An end of a cable.
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
  /// Late by 64 frames, so that a loop can be played.
  public var isFeedback = false
  /// The only channel that comes from the source, from 1 on; nil for all.
  public var sourceChannel: Int?
  /// The only channel of the destination that is fed, from 1 on; nil for all.
  public var destinationChannel: Int?
  /// The arrow in the rack file.
  public var position: SourcePosition

  /// Whether the other carries the same between the same places.
  public func connectsLike(_ other: Cable) -> Bool {
    var other = other
    other.position = position
    return self == other
  }
}

/// The channel and the keys whose messages a MIDI cable carries; others that concern neither pass.
public struct MIDIFilter: Sendable, Hashable {
  /// 1 to 16; nil for all.
  public var channel: Int?
  /// 0 to 127; nil for all.
  public var notes: ClosedRange<Int>?

  /// Whether a key of a channel, from 1, passes.
  package func admits(key: Int, channel: Int) -> Bool {
    (self.channel ?? channel) == channel && notes?.contains(key) ?? true
  }
}

/// Carries MIDI; several into one destination are merged.
///
/// A port is a MIDI port of the rack, and a unit's bus one of the cables that it sends or takes.
public struct MIDICable: Sendable, Equatable {
  public var source: Endpoint
  public var destination: Endpoint
  public var filter = MIDIFilter()
  /// The arrow in the rack file.
  public var position: SourcePosition

  /// Whether the other carries the same between the same places.
  public func connectsLike(_ other: MIDICable) -> Bool {
    source == other.source && destination == other.destination && filter == other.filter
  }
}
