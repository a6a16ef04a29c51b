/// A track of a MIDI file, with times in ticks.
struct MIDITrack {
  struct Event<Content> {
    var tick: Int
    var content: Content
  }

  private(set) var messages: [Event<[UInt8]>] = []
  /// The tempos, microseconds for each quarter note.
  private(set) var tempos: [Event<Int>] = []
  private(set) var metres: [Event<TempoMap.Metre>] = []
  /// The end of the track, ticks.
  private(set) var length = 0
  /// Whether the track has an end event.
  private(set) var hasEnd = false
  /// The damage at which reading stopped, or for which an event was left out; nil if the track is intact.
  private(set) var fault: MIDIFileError?

  /// The system exclusive message that later packets continue.
  private var exclusive: [UInt8]?

  /// Reads the track up to its end, or to the damage.
  init(_ bytes: ArraySlice<UInt8>) {
    var reader = MIDIFileReader(bytes)
    do {
      try read(&reader)
    } catch {
      fault = error
    }
    endExclusive()
  }

  private mutating func read(_ reader: inout MIDIFileReader) throws(MIDIFileError) {
    // Meta events and system exclusive messages keep the running status: many files continue with it.
    var runningStatus: UInt8?
    while !reader.isAtEnd {
      let tick = length + (try reader.variableLengthNumber())
      let index = reader.offset
      let first = try reader.byte()
      if first != 0xF7 { endExclusive() }
      switch first {
      case 0xFF:
        let type = try reader.byte()
        let data = try reader.read(reader.variableLengthNumber())
        length = tick
        hasEnd = type == 0x2F
        if hasEnd { return }
        if type == 0x51 {
          let tempo = data.reduce(0) { $0 << 8 | Int($1) }
          guard data.count == 3, tempo > 0 else {
            fault = fault ?? reader.failure("an invalid tempo", at: index)
            continue
          }
          tempos.append(Event(tick: tick, content: tempo))
        } else if type == 0x58 {
          readMetre(Array(data), at: tick)
        }
      case 0xF0:
        exclusive = [0xF0] + (try reader.read(reader.variableLengthNumber()))
        length = tick
        if exclusive?.last == 0xF7 { endExclusive() }
      case 0xF7:
        let data = try reader.read(reader.variableLengthNumber())
        length = tick
        // Without a message to continue, this is an escape for raw bytes, which is ignored.
        exclusive? += data
        if exclusive?.last == 0xF7 { endExclusive() }
      case 0xF1...0xFE:
        // System common and real-time messages are ignored in a file.
        _ = try reader.read(Self.length(ofMessage: first) - 1)
        length = tick
      default:
        let isStatus = first >= 0x80
        guard let status = isStatus ? first : runningStatus else {
          throw reader.failure("data without a status byte before it", at: index)
        }
        runningStatus = status
        var message = isStatus ? [status] : [status, first]
        while message.count < Self.length(ofMessage: status) {
          let data = try reader.byte()
          guard data < 0x80 else {
            throw reader.failure("a status byte in the middle of a message", at: reader.offset - 1)
          }
          message.append(data)
        }
        length = tick
        messages.append(Event(tick: tick, content: message))
      }
    }
  }

  /// Reads the beats of a bar, and the power of two that is their unit; ignores an invalid metre.
  private mutating func readMetre(_ data: [UInt8], at tick: Int) {
    guard data.count == 4, data[0] > 0, data[1] <= 6 else { return }
    let metre = TempoMap.Metre(Int(data[0]), 1 << Int(data[1]))
    metres.append(Event(tick: tick, content: metre))
  }

  /// Returns the length of a message with this status byte, bytes (MIDI 1.0 Detailed Specification, tables
  /// I and II).
  private static func length(ofMessage status: UInt8) -> Int {
    switch status {
    case 0xC0...0xDF, 0xF1, 0xF3: 2
    case 0x80...0xEF, 0xF2: 3
    default: 1
    }
  }

  /// Adds the system exclusive message, and its last byte, which some files omit; drops it if it has other
  /// status bytes.
  private mutating func endExclusive() {
    guard var message = exclusive else { return }
    exclusive = nil
    if message.last != 0xF7 { message.append(0xF7) }
    guard message.dropFirst().dropLast().allSatisfy({ $0 < 0x80 }) else { return }
    messages.append(Event(tick: length, content: message))
  }

  fileprivate mutating func move(by ticks: Int) {
    for index in messages.indices { messages[index].tick += ticks }
    for index in tempos.indices { tempos[index].tick += ticks }
    for index in metres.indices { metres[index].tick += ticks }
    length += ticks
  }
}

extension [MIDITrack] {
  /// Moves each track to the end of the one before.
  mutating func placeInTurn() {
    for index in indices.dropFirst() { self[index].move(by: self[index - 1].length) }
  }
}
