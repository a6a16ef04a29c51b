/// The events for the musician, and the observer of all changes.
struct EngineLog {
  /// The last 500 entries, oldest first.
  private(set) var entries: [LogEntry] = []
  var observer: (@Sendable (EngineChange) -> Void)?
  let continuation: AsyncStream<EngineEvent>.Continuation

  private static let maximumEntries = 500

  init(_ continuation: AsyncStream<EngineEvent>.Continuation) { self.continuation = continuation }

  mutating func add(_ event: EngineEvent) {
    continuation.yield(event)
    guard let entry = LogEntry(event) else { return }
    entries = entries.suffix(Self.maximumEntries - 1) + [entry]
    observer?(.event(event, entry))
  }
}
