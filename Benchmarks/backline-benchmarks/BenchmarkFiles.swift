import BacklineTestSupport

/// Writes the input files of the benchmarks.
extension TemporaryFolder {
  /// Writes noise at -12 dB as 16-bit WAV at 48 kHz, the same in all channels.
  func writeNoise(seconds: Int, channels: Int, to name: String) throws -> String {
    let frames = seconds * 48_000
    let dataSize = frames * channels * 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(dataSize + 44)
    func append(_ value: Int, _ size: Int) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    bytes += Array("RIFF".utf8)
    append(dataSize + 36, 4)
    bytes += Array("WAVEfmt ".utf8)
    append(16, 4)
    append(1, 2)
    append(channels, 2)
    append(48_000, 4)
    append(48_000 * channels * 2, 4)
    append(channels * 2, 2)
    append(16, 2)
    bytes += Array("data".utf8)
    append(dataSize, 4)
    var state: UInt32 = 1
    for _ in 0..<frames {
      state = state &* 1_664_525 &+ 1_013_904_223
      for _ in 0..<channels { append(Int(Int32(bitPattern: state) >> 18), 2) }
    }
    return try write(name, bytes: bytes)
  }

  /// Writes a MIDI file of eight-note chords, one a second.
  func writeChords(seconds: Int, to name: String) throws -> String {
    var track: [UInt8] = []
    for second in 0..<seconds {
      let root = UInt8(40 + second % 12)
      // At 120 beats a minute and 96 ticks a beat a second is 192 ticks.
      for note in 0..<8 { track += [0, 0x90, root + UInt8(note * 4), 90] }
      track += [0x81, 0x40, 0x80, root, 0]
      for note in 1..<8 { track += [0, 0x80, root + UInt8(note * 4), 0] }
    }
    track += [0, 0xFF, 0x2F, 0]
    let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: track.count >> (8 * $0)) }
    let header: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    return try write(
      name, bytes: Array("MThd".utf8) + header + Array("MTrk".utf8) + size + track)
  }
}
