import Documents

/// An end of a cable.
public enum Endpoint: Sendable, Hashable {
  /// A port of the rack: an input as a source, an output as a destination.
  case port(Int)
  /// A unit's bus: an output bus as a source, an input bus as a destination.
  case unit(Int, bus: Int)

  /// The unit's index; nil for a port.
  public var unit: Int? {
    if case .unit(let unit, _) = self { unit } else { nil }
  }
}

/// An audio cable. Several cables into one destination are summed.
///
/// A source of one channel feeds every channel of its destination; otherwise the channel counts are equal.
public struct Cable: Sendable, Equatable {
  public var source: Endpoint
  public var destination: Endpoint
  /// Whether the cable feeds back: its signal is 64 frames late, so that a loop can be played.
  public var isFeedback = false
  /// The only channel that is carried, from 1 on; nil for all.
  public var sourceChannel: Int?
  /// The only channel of the destination that is fed, from 1 on; nil for all.
  public var destinationChannel: Int?
  /// The position of the arrow in the rack file.
  public var position: SourcePosition

  /// Whether another cable carries the same signal between the same ends.
  public func connectsLike(_ other: Cable) -> Bool {
    var other = other
    other.position = position
    return self == other
  }
}

/// The channel and the keys whose messages a MIDI cable carries. Messages without a channel or key pass.
public struct MIDIFilter: Sendable, Hashable {
  /// The MIDI channel, 1 to 16; nil for all.
  public var channel: Int?
  /// The keys, 0 to 127; nil for all.
  public var notes: ClosedRange<Int>?

  /// Whether a key (0 to 127) of a channel (1 to 16) passes.
  package func admits(key: Int, channel: Int) -> Bool {
    (self.channel ?? channel) == channel && notes?.contains(key) ?? true
  }
}

/// A MIDI cable. Several cables into one destination are merged.
///
/// A port is a MIDI port of the rack; a unit's `bus` is the number of one of its MIDI cables.
public struct MIDICable: Sendable, Equatable {
  public var source: Endpoint
  public var destination: Endpoint
  public var filter = MIDIFilter()
  /// The position of the arrow in the rack file.
  public var position: SourcePosition

  /// Whether another cable carries the same messages between the same ends.
  public func connectsLike(_ other: MIDICable) -> Bool {
    source == other.source && destination == other.destination && filter == other.filter
  }
}
