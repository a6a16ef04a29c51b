import RackEngine

/// What has happened, the oldest first.
public struct LogAdded: RackEvent {
  public static let name = "log"
  public private(set) var entries: [LogEntry]
  public var lines: [String] { entries.map { "log  \($0.text)" } }

  /// Entries that wait for a reader; older ones are left out.
  private static let most = 50

  init(_ entry: LogEntry) { entries = [entry] }

  public mutating func absorb(_ newer: LogAdded) {
    entries = (entries + newer.entries).suffix(Self.most)
  }

  public init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([LogEntry].self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entries)
  }
}
