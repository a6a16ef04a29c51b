/// The readers of the messages that the rack's MIDI inputs receive.
struct MIDIReaders {
  private var readers: [Int: AsyncStream<[ReceivedMIDI]>.Continuation] = [:]
  private var count = 0
  /// The messages since the last `send`.
  private var messages: [ReceivedMIDI] = []

  var isEmpty: Bool { readers.isEmpty }

  /// Adds a reader; returns its number.
  mutating func add(_ reader: AsyncStream<[ReceivedMIDI]>.Continuation) -> Int {
    count += 1
    readers[count] = reader
    return count
  }

  mutating func remove(_ number: Int) { readers[number] = nil }
  mutating func receive(_ message: ReceivedMIDI) { messages.append(message) }

  /// Sends the messages to all readers.
  mutating func send() {
    for reader in readers.values { reader.yield(messages) }
    messages = []
  }

  mutating func finish() {
    for reader in readers.values { reader.finish() }
    readers = [:]
  }
}
