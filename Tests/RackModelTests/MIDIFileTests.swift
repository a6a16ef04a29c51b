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
      try MIDIFile.parse(file).messages == [
        TimedMIDI(seconds: 0, bytes: [0x90, 60, 100]),
        TimedMIDI(seconds: 0.5, bytes: [0x80, 60, 0]),
      ])
  }

  @Test func runningStatusCarriesOn() throws {
    let file = Self.file([0, 0x90, 60, 100, 48, 60, 0, 0, 0xC0, 5, 0, 6] + Self.end)
    #expect(
      try MIDIFile.parse(file).messages.map(\.bytes) == [
        [0x90, 60, 100], [0x90, 60, 0], [0xC0, 5], [0xC0, 6],
      ])
  }

  /// Format 1: the first track has the tempo, 60 bpm from beat 1 on; the notes are in two others.
  @Test func oneTempoMapRulesAllTracks() throws {
    let tempo: [UInt8] = [96, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40] + Self.end
    let first: [UInt8] = [0x81, 0x40, 0x90, 60, 100] + Self.end  // tick 192
    let second: [UInt8] = [48, 0x91, 62, 100, 0x81, 0x10, 0x91, 62, 0] + Self.end  // 48, 192
    let events = try MIDIFile.parse(Self.file(format: 1, tempo, first, second)).messages
    #expect(events.map(\.seconds) == [0.25, 1.5, 1.5])
    #expect(events.map(\.bytes) == [[0x91, 62, 100], [0x90, 60, 100], [0x91, 62, 0]])
  }

  @Test func timeCodeCountsInFrames() throws {
    // 25 frames a second, 40 ticks a frame: a tick is a millisecond.
    let file = Self.file(division: [0xE7, 40], [0x83, 0x74, 0x90, 60, 1] + Self.end)
    let seconds = try #require(MIDIFile.parse(file).messages.first?.seconds)
    #expect(abs(seconds - 0.5) < 1e-12)
  }

  @Test func systemExclusiveIsJoinedFromItsPackets() throws {
    let file = Self.file(
      [0, 0xF0, 2, 0x7D, 1, 10, 0xF7, 2, 2, 0xF7, 0, 0xF0, 2, 9, 0xF7] + Self.end)
    #expect(
      try MIDIFile.parse(file).messages.map(\.bytes) == [
        [0xF0, 0x7D, 1, 2, 0xF7], [0xF0, 9, 0xF7],
      ])
  }

  @Test func unknownChunksArePassedOver() throws {
    var file = Self.file([0, 0x90, 60, 1] + Self.end)
    file.insert(contentsOf: Array("XFIH".utf8) + [0, 0, 0, 2, 1, 2], at: 14)
    #expect(try MIDIFile.parse(file).messages.count == 1)
  }

  private static let note: [UInt8] = [0, 0x90, 60, 100, 96, 0x80, 60, 0]
  private static let noteMessages: [[UInt8]] = [[0x90, 60, 100], [0x80, 60, 0]]

  /// Returns a file with a wrong length before a track or the header.
  private static func file(_ whole: [UInt8], size: Int, at place: Int) -> [UInt8] {
    var file = whole
    for byte in 0..<4 { file[place + byte] = UInt8(size >> (24 - 8 * byte) & 255) }
    return file
  }

  private static let whole = file(note + end)
  private static let riff =
    Array("RIFF".utf8) + [UInt8(whole.count + 12), 0, 0, 0] + Array("RMIDdata".utf8)
    + [UInt8(whole.count), 0, 0, 0]
  private static var longHeader: [UInt8] {
    var file = file(whole, size: 10, at: 4)
    file.insert(contentsOf: [1, 2, 3, 4], at: 14)
    return file
  }

  /// Files of other programs that play as they are, and whether they play with a warning.
  static let odd: [(what: String, bytes: [UInt8], isDamaged: Bool)] = [
    ("RMID", riff + whole + [0], false),
    (
      "RMID with a list behind", riff + whole + Array("LIST".utf8) + [4, 0, 0, 0, 1, 2, 3, 4], false
    ),
    ("a Mac's header in front", [UInt8](repeating: 0, count: 128) + whole, false),
    ("a header of 10 bytes", longHeader, false),
    ("no end of track", file(note), false),
    ("rubbish behind the last track", whole + [UInt8](repeating: 0, count: 37), false),
    ("five bytes for a zero", file([0x80, 0x80, 0x80, 0x80] + note + end), false),
    ("format 0 with two tracks", file(format: 0, end, note + end), false),
    ("format 2 with one pattern", file(format: 2, note + end), false),
    ("an unknown format", file(format: 7, note + end), false),
    ("a clock and a song position", file([0, 0xF8, 0, 0xF2, 1, 2] + note + end), false),
    (
      "more tracks announced", file([UInt8](whole[..<11] + [5] + whole[12...]), size: 6, at: 4),
      true
    ),
    (
      "fewer tracks announced",
      [UInt8](file(end, note + end)[..<11] + [1] + file(end, note + end)[12...]), true
    ),
    ("cut before the end of track", Array(whole.dropLast(2)), true),
    ("a track that says it is longer", file(whole, size: 500, at: 18), false),
    ("a track that says it is shorter", file(whole, size: 6, at: 18), false),
    ("a tempo of 0", file([0, 0xFF, 0x51, 3, 0, 0, 0] + note + end), true),
  ]

  @Test(arguments: odd.indices) func oddFilesPlay(index: Int) throws {
    let (what, bytes, isDamaged) = Self.odd[index]
    let file = try MIDIFile.parse(bytes)
    #expect(file.messages.map(\.bytes) == Self.noteMessages, "\(what)")
    #expect(file.messages.map(\.seconds) == [0, 0.5], "\(what)")
    #expect(file.warnings.isEmpty != isDamaged, "\(what): \(file.warnings)")
  }

  /// Many programs keep the running status across a meta event or system exclusive message.
  @Test(arguments: [[0xFF, 1, 1, 65], [0xF0, 2, 9, 0xF7], [0xF7, 1, 0xF8]] as [[UInt8]])
  func runningStatusCarriesOnBehindOtherEvents(between: [UInt8]) throws {
    let file = Self.file([0, 0x90, 60, 100, 0] + between + [48, 60, 0] + Self.end)
    let notes = try MIDIFile.parse(file).messages.filter { $0.bytes[0] == 0x90 }
    #expect(
      notes == [
        TimedMIDI(seconds: 0, bytes: [0x90, 60, 100]),
        TimedMIDI(seconds: 0.25, bytes: [0x90, 60, 0]),
      ])
  }

  @Test func patternsPlayInTurn() throws {
    let one = Self.note + [96] + Self.end.dropFirst()
    let file = try MIDIFile.parse(Self.file(format: 2, one, one))
    #expect(file.messages.map(\.seconds) == [0, 0.5, 1, 1.5] && file.length == 2)
  }

  /// The rest after the last note belongs to the music.
  @Test func theLengthIsThatOfTheLongestTrack() throws {
    let long: [UInt8] = [0x82, 0x40, 0xFF, 0x2F, 0]  // tick 320
    let length = try MIDIFile.parse(Self.file(format: 1, Self.note + Self.end, long)).length
    #expect(abs(length - 320.0 / 192) < 1e-12)
    #expect(try MIDIFile.parse(Self.file(Self.note)).length == 0.5)
  }

  @Test func whatIsBeforeADamagePlays() throws {
    for length in Self.whole.indices where length > 26 {
      let file = try MIDIFile.parse(Self.whole.prefix(length))
      #expect(file.messages.map(\.bytes) == Array(Self.noteMessages.prefix(length >= 30 ? 2 : 1)))
      #expect(file.warnings.count == 1, "\(length): \(file.warnings)")
    }
    let other = Self.file(format: 1, [0, 0x90, 60], Self.note + Self.end)
    let file = try MIDIFile.parse(other)
    #expect(file.messages.map(\.bytes) == Self.noteMessages)
    #expect(file.warnings == ["at byte 25: the file ends in the middle"])
  }

  static let damaged: [([UInt8], String)] = [
    ([], "at byte 0: not a Standard MIDI File, which begins with MThd"),
    (Array("RIFF0000".utf8), "at byte 0: not a Standard MIDI File, which begins with MThd"),
    (Array("<!doctype html>".utf8), "at byte 0: not a Standard MIDI File, which begins with MThd"),
    (file(division: [0, 0], note + end), "at byte 12: a quarter note of 0 ticks"),
    (file(division: [0x80, 1], note + end), "at byte 12: a time code of an unknown rate"),
    (file([0, 60, 100]), "at byte 23: data without a status byte before it"),
    (file([0, 0x90, 60, 0x90]), "at byte 25: a status byte in the middle of a message"),
    (file([0xFF, 0xFF, 0xFF, 0xFF, 0]), "at byte 22: a number is longer than four bytes"),
    (file([0, 0xF0, 0x7F]), "at byte 25: 127 bytes are announced, 0 are left"),
    (Array(file(end).prefix(14)), "at byte 14: there is no track in it"),
  ]

  @Test(arguments: damaged)
  func saysWhatIsWrongAndWhere(bytes: [UInt8], message: String) {
    #expect(performing: { try MIDIFile.parse(bytes) }, throws: { "\($0)" == message })
  }

  /// A file that is cut or changed is refused, or played in part, and nothing else.
  @Test func survivesDamage() {
    let whole = Self.file(
      format: 1, [96, 0xFF, 0x51, 3, 7, 0xA1, 0x20] + Self.end,
      [0, 0x90, 60, 100, 48, 60, 0, 0, 0xF0, 2, 9, 0xF7, 0, 0xC0, 5] + Self.end)
    for length in whole.indices { _ = try? MIDIFile.parse(whole.prefix(length)) }
    var readable = 0
    for index in whole.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xF0, 0xF7, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        let events = (try? MIDIFile.parse(damaged))?.messages
        #expect(events?.allSatisfy { $0.seconds.isFinite && !$0.bytes.isEmpty } ?? true)
        readable += events == nil ? 0 : 1
      }
    }
    #expect(readable > 0)
  }
}
