extension MIDIFile {
  /// Returns a Standard MIDI File of format 0 with these messages, in order of time, that ends at `length`
  /// seconds.
  ///
  /// A tick is a frame at `sampleRate` Hz, so that each message keeps its frame. Real-time messages (clock,
  /// active sensing and the like) are written as escapes, which readers ignore.
  package static func bytes(
    of messages: [TimedMIDI], length: Double, sampleRate: Double
  ) -> [UInt8] {
    var microseconds = 500_000
    func ticksPerQuarter() -> Double { (sampleRate * Double(microseconds) * 1e-6).rounded() }
    // The division has 15 bits.
    while ticksPerQuarter() > 32_767 { microseconds /= 2 }
    let ticksPerSecond = ticksPerQuarter() / (Double(microseconds) * 1e-6)

    var track: [UInt8] = [0, 0xFF, 0x51, 3] + bigEndian(microseconds, byteCount: 3)
    var present = 0
    func advance(to seconds: Double) {
      var delta = max(0, Int(clamping: seconds * ticksPerSecond) - present)
      present += delta
      while delta > longestDelta {
        // An empty text event carries the longest delta.
        track += variableLength(longestDelta) + [0xFF, 0x01, 0]
        delta -= longestDelta
      }
      track += variableLength(delta)
    }
    for message in messages {
      guard let status = message.bytes.first else { continue }
      advance(to: message.seconds)
      switch status {
      case 0xF0:
        track += [0xF0] + variableLength(message.bytes.count - 1) + message.bytes.dropFirst()
      case 0xF1...0xFF: track += [0xF7] + variableLength(message.bytes.count) + message.bytes
      default: track += message.bytes
      }
    }
    advance(to: length)
    track += [0xFF, 0x2F, 0]
    let header = [0, 0, 0, 1] + bigEndian(Int(ticksPerQuarter()), byteCount: 2)
    return Array("MThd".utf8) + [0, 0, 0, 6] + header + Array("MTrk".utf8)
      + bigEndian(track.count, byteCount: 4) + track
  }

  /// The largest number of four bytes of seven bits, ticks.
  private static let longestDelta = 1 << 28 - 1

  private static func bigEndian(_ number: Int, byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func variableLength(_ number: Int) -> [UInt8] {
    var bytes = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
