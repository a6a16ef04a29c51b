/// Reads numbers from the bytes of a MIDI file, never past their end.
struct MIDIFileReader {
  let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  var isAtEnd: Bool { offset >= bytes.endIndex }

  func failure(_ message: String, at index: Int? = nil) -> MIDIFileError {
    MIDIFileError(offset: index ?? offset, message: message)
  }

  mutating func byte() throws(MIDIFileError) -> UInt8 {
    guard offset < bytes.endIndex else { throw failure("the file ends in the middle") }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func read(_ count: Int) throws(MIDIFileError) -> ArraySlice<UInt8> {
    guard count <= bytes.endIndex - offset else {
      throw failure("\(count) bytes are announced, \(bytes.endIndex - offset) are left")
    }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// Reads a big-endian number.
  mutating func number(byteCount: Int) throws(MIDIFileError) -> Int {
    try read(byteCount).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a number of seven bits a byte, below 2²⁸. Zeros may precede its four bytes.
  mutating func variableLengthNumber() throws(MIDIFileError) -> Int {
    let start = offset
    var value = 0
    while value < 1 << 21 {
      let next = try byte()
      value = value << 7 | Int(next & 0x7F)
      if next & 0x80 == 0 { return value }
    }
    throw failure("a number is longer than four bytes", at: start)
  }
}
