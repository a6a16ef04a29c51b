import RackEngine

/// New entries of the log, the oldest first.
public struct LogAdded: RackEvent {
  public static let name = "log"
  public private(set) var entries: [LogEntry]
  public var lines: [String] { entries.map { "log  \($0.text)" } }

  /// The largest number of unread entries; older entries are dropped.
  private static let maximum = 50

  init(_ entry: LogEntry) { entries = [entry] }

  public mutating func absorb(_ newer: LogAdded) {
    entries = (entries + newer.entries).suffix(Self.maximum)
  }

  public init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([LogEntry].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}
