import RackModel
import Testing

@Suite struct MIDIFileTests {
  static func file(format: UInt8 = 0, division: [UInt8] = [0, 96], _ tracks: [UInt8]...) -> [UInt8]
  {
    var file = Array("MThd".utf8)
    file += [0, 0, 0, 6, 0, format, 0, UInt8(tracks.count)]
    file += division
    for track in tracks {
      file += Array("MTrk".utf8)
      file += [0, 0, UInt8(track.count >> 8), UInt8(track.count & 255)]
      file += track
    }
    return file
  }

  static let end: [UInt8] = [0, 0xFF, 0x2F, 0]

  @Test func readsNotesAtTheUsualTempo() throws {
    let file = Self.file([0, 0x90, 60, 100, 96, 0x80, 60, 0] + Self.end)
    #expect(
      try MIDIFile.parse(file) == [
        TimedMIDI(seconds: 0, bytes: [0x90, 60, 100]),
        TimedMIDI(seconds: 0.5, bytes: [0x80, 60, 0]),
      ])
  }

  @Test func runningStatusCarriesOn() throws {
    let file = Self.file([0, 0x90, 60, 100, 48, 60, 0, 0, 0xC0, 5, 0, 6] + Self.end)
    #expect(
      try MIDIFile.parse(file).map(\.bytes) == [
        [0x90, 60, 100], [0x90, 60, 0], [0xC0, 5], [0xC0, 6],
      ])
  }

  /// Format 1: the first track has the tempo, 60 bpm from beat 1 on; the notes are in two others.
  @Test func oneTempoMapRulesAllTracks() throws {
    let tempo: [UInt8] = [96, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40] + Self.end
    let first: [UInt8] = [0x81, 0x40, 0x90, 60, 100] + Self.end  // tick 192
    let second: [UInt8] = [48, 0x91, 62, 100, 0x81, 0x10, 0x91, 62, 0] + Self.end  // 48, 192
    let events = try MIDIFile.parse(Self.file(format: 1, tempo, first, second))
    #expect(events.map(\.seconds) == [0.25, 1.5, 1.5])
    #expect(events.map(\.bytes) == [[0x91, 62, 100], [0x90, 60, 100], [0x91, 62, 0]])
  }

  @Test func timeCodeCountsInFrames() throws {
    // 25 frames a second, 40 ticks a frame: a tick is a millisecond.
    let file = Self.file(division: [0xE7, 40], [0x83, 0x74, 0x90, 60, 1] + Self.end)
    let seconds = try #require(MIDIFile.parse(file).first?.seconds)
    #expect(abs(seconds - 0.5) < 1e-12)
  }

  @Test func systemExclusiveIsJoinedFromItsPackets() throws {
    let file = Self.file(
      [0, 0xF0, 2, 0x7D, 1, 10, 0xF7, 2, 2, 0xF7, 0, 0xF0, 2, 9, 0xF7] + Self.end)
    #expect(try MIDIFile.parse(file).map(\.bytes) == [[0xF0, 0x7D, 1, 2, 0xF7], [0xF0, 9, 0xF7]])
  }

  @Test func unknownChunksArePassedOver() throws {
    var file = Self.file([0, 0x90, 60, 1] + Self.end)
    file.insert(contentsOf: Array("XFIH".utf8) + [0, 0, 0, 2, 1, 2], at: 14)
    #expect(try MIDIFile.parse(file).count == 1)
  }

  static let damaged: [([UInt8], String)] = [
    ([], "at byte 0: not a Standard MIDI File, which begins with MThd"),
    (Array("RIFF0000".utf8), "at byte 0: not a Standard MIDI File, which begins with MThd"),
    (
      file(format: 2, end),
      "at byte 8: format 2 (independent patterns) cannot be played"
    ),
    (file(division: [0, 0], end), "at byte 12: a quarter note of 0 ticks"),
    (file(division: [0x80, 1], end), "at byte 12: a time code of an unknown rate"),
    (file([0, 60, 100]), "at byte 23: data without a status byte before it"),
    (file([0, 0x90, 60, 0x90]), "at byte 25: a status byte in the middle of a message"),
    (file([0xFF, 0xFF, 0xFF, 0xFF, 0]), "at byte 22: a number is longer than four bytes"),
    (file([0, 0xFF, 0x51, 3, 0, 0, 0]), "at byte 23: an invalid tempo"),
    (file([0, 0xF0, 0x7F]), "at byte 25: 127 bytes are announced, 0 are left"),
    (file([0, 0xF4]), "at byte 23: status 244 does not belong in a file"),
    (Array(file(end).prefix(20)), "at byte 18: 4 bytes are announced, 2 are left"),
    (Array(file(end).prefix(14)), "at byte 14: 0 of 1 announced tracks are present"),
  ]

  @Test(arguments: damaged)
  func saysWhatIsWrongAndWhere(bytes: [UInt8], message: String) {
    #expect(performing: { try MIDIFile.parse(bytes) }, throws: { "\($0)" == message })
  }

  /// Neither a cut nor a changed byte may do more than be refused.
  @Test func survivesDamage() {
    let whole = Self.file(
      format: 1, [96, 0xFF, 0x51, 3, 7, 0xA1, 0x20] + Self.end,
      [0, 0x90, 60, 100, 48, 60, 0, 0, 0xF0, 2, 9, 0xF7, 0, 0xC0, 5] + Self.end)
    for length in whole.indices {
      #expect(throws: MIDIFileError.self) { try MIDIFile.parse(whole.prefix(length)) }
    }
    var readable = 0
    for index in whole.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xF0, 0xF7, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        let events = try? MIDIFile.parse(damaged)
        #expect(events?.allSatisfy { $0.seconds.isFinite && !$0.bytes.isEmpty } ?? true)
        readable += events == nil ? 0 : 1
      }
    }
    #expect(readable > 0)
  }
}
