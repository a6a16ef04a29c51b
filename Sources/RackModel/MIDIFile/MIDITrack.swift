/// A track of a MIDI file, with times in ticks.
struct MIDITrack {
  struct Event<Content> {
    var tick: Int
    var content: Content
  }

  private(set) var messages: [Event<[UInt8]>] = []
  /// Microseconds for each quarter note.
  private(set) var tempos: [Event<Int>] = []

  init(_ bytes: ArraySlice<UInt8>) throws(MIDIFileError) {
    var reader = MIDIFileReader(bytes)
    var tick = 0
    var runningStatus: UInt8?
    // A system exclusive message that continues in later packets.
    var exclusive: [UInt8]?
    while !reader.isAtEnd {
      tick += try reader.variableLengthNumber()
      let place = reader.offset
      let first = try reader.byte()
      switch first {
      case 0xFF:
        runningStatus = nil
        let type = try reader.byte()
        let data = try reader.take(reader.variableLengthNumber())
        if type == 0x2F { return }
        if type == 0x51 {
          let tempo = data.reduce(0) { $0 << 8 | Int($1) }
          guard data.count == 3, tempo > 0 else {
            throw reader.failure("an invalid tempo", at: place)
          }
          tempos.append(Event(tick: tick, content: tempo))
        }
      case 0xF0:
        runningStatus = nil
        let packet = [0xF0] + (try reader.take(reader.variableLengthNumber()))
        exclusive = finished(packet, at: tick)
      case 0xF7:
        runningStatus = nil
        let data = try reader.take(reader.variableLengthNumber())
        // Without a message to go on with it is an escape, for bytes that a wire needs.
        if let begun = exclusive { exclusive = finished(begun + data, at: tick) }
      case 0xF1...0xFE:
        throw reader.failure("status \(first) does not belong in a file", at: place)
      default:
        let isStatus = first >= 0x80
        guard let status = isStatus ? first : runningStatus else {
          throw reader.failure("data without a status byte before it", at: place)
        }
        runningStatus = status
        var message = isStatus ? [status] : [status, first]
        let length = (0xC0...0xDF).contains(status) ? 2 : 3
        while message.count < length {
          let data = try reader.byte()
          guard data < 0x80 else {
            throw reader.failure("a status byte in the middle of a message", at: reader.offset - 1)
          }
          message.append(data)
        }
        messages.append(Event(tick: tick, content: message))
      }
    }
  }

  /// Keeps a complete system exclusive message; returns an incomplete one.
  private mutating func finished(_ message: [UInt8], at tick: Int) -> [UInt8]? {
    guard message.last == 0xF7 else { return message }
    messages.append(Event(tick: tick, content: message))
    return nil
  }
}
