/// An event of a rack that plays, for subscribers.
///
/// An event is a line of JSON, `{"event": "values", "values": …}`: its name, and its contents as the member of that
/// name. A new event is a type in a file of this folder, and a line in `RackEvents.all`.
public protocol RackEvent: Codable, Sendable {
  static var name: String { get }
  /// The lines that `backline ctl` prints; empty for an event that is only drawn.
  var lines: [String] { get }
  /// The key of the event: unread events with the same key are merged.
  var key: String { get }
  /// Merges a newer event of the same key into this unread one.
  mutating func absorb(_ newer: Self)
}

extension RackEvent {
  public var lines: [String] { [] }
  public var key: String { Self.name }
  public mutating func absorb(_ newer: Self) { self = newer }
}

/// The list of events, and their encoding.
public enum RackEvents {
  /// The types of events, in the order in which events of one delivery are sent. The rack precedes the values, which
  /// may be of its new units.
  static let all: [any RackEvent.Type] = [
    RackReplaced.self, BoxesMoved.self, Learning.self, ValuesChanged.self, SessionState.self,
    LogAdded.self, TelemetryRead.self, RackMeters.self, MIDIMessages.self,
  ]

  static func index(of event: any RackEvent) -> Int {
    all.firstIndex { $0 == type(of: event) } ?? all.count
  }

  /// An event as a line of JSON.
  public struct Line: Codable, Sendable {
    public let event: any RackEvent

    public init(_ event: any RackEvent) { self.event = event }

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    private static let name = Key(stringValue: "event")

    public func encode(to encoder: any Encoder) throws {
      let name = type(of: event).name
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(name, forKey: Self.name)
      try container.encode(event, forKey: Key(stringValue: name))
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let name = try container.decode(String.self, forKey: Self.name)
      guard let type = all.first(where: { $0.name == name }) else {
        throw DecodingError.dataCorruptedError(
          forKey: Self.name, in: container, debugDescription: "there is no event “\(name)”")
      }
      event = try container.decode(type, forKey: Key(stringValue: name))
    }
  }
}

/// The events that a reader has not read yet.
struct PendingEvents: Sendable {
  private var events: [any RackEvent] = []

  func contains<Event: RackEvent>(_ kind: Event.Type) -> Bool { events.contains { $0 is Event } }

  mutating func add(_ event: any RackEvent) {
    // Earlier values may belong to removed units.
    if event is RackReplaced { events.removeAll { $0 is ValuesChanged } }
    guard let index = events.firstIndex(where: { $0.key == event.key }) else {
      events.append(event)
      return
    }
    // The event is removed meanwhile, so that its contents are not copied.
    events.append(events.remove(at: index).absorbing(event))
  }

  /// Changes the unread event of a type; removes the event if `body` returns false.
  mutating func change<Event: RackEvent>(_ kind: Event.Type, _ body: (inout Event) -> Bool) {
    guard let index = events.firstIndex(where: { $0 is Event }),
      var event = events.remove(at: index) as? Event
    else { return }
    if body(&event) { events.insert(event, at: index) }
  }

  /// Removes the events for which `waits` returns false, and returns them in the order of sending.
  mutating func pop(besides waits: (any RackEvent) -> Bool) -> [any RackEvent] {
    defer { events = events.filter(waits) }
    let due = events.filter { !waits($0) }.enumerated()
    return due.sorted {
      (RackEvents.index(of: $0.element), $0.offset) < (RackEvents.index(of: $1.element), $1.offset)
    }.map(\.element)
  }
}

extension RackEvent {
  fileprivate consuming func absorbing(_ newer: any RackEvent) -> any RackEvent {
    guard let newer = newer as? Self else { return newer }
    var event = self
    event.absorb(newer)
    return event
  }
}
