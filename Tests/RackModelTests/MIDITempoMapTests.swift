import Testing

@testable import RackModel

/// Tempo and metre of MIDI files of 96 ticks a quarter note.
@Suite struct MIDITempoMapTests {
  private static func map(_ bytes: [UInt8]) -> TempoMap? {
    try? MIDIFile.parse(bytes).tempoMap
  }

  /// 60 bpm from quarter 1 on, in one track; 6/8 from quarter 2 on, after a message in running status and a
  /// system exclusive message, in another.
  @Test func allTracksSayIt() throws {
    let tempo: [UInt8] = [96, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40] + MIDIFileTests.end
    let metre: [UInt8] =
      [0, 0x90, 60, 1, 48, 60, 0, 0, 0xF0, 2, 9, 0xF7, 0x81, 0x10, 0xFF, 0x58, 4, 6, 3, 24, 8]
      + MIDIFileTests.end
    let file = MIDIFileTests.file(format: 1, tempo, metre)
    for bytes in [file, Array("RIFF....RMIDdata....".utf8) + file] {
      let map = try #require(Self.map(bytes))
      let places = [0, 1, 2].map { map.position(atFrame: $0 * 1000, sampleRate: 1000) }
      #expect(places.map(\.tempo) == [120, 60, 120])
      #expect(places.map(\.beat) == [0, 1.5, 5])
      #expect(places.map(\.downbeat) == [0, 0, 4])
      #expect(places[2].metre == TempoMap.Metre(6, 8))
    }
  }

  @Test func whatSaysNoTempoHasNone() {
    let note: [UInt8] = [0, 0x90, 60, 1, 48, 60, 0] + MIDIFileTests.end
    #expect(Self.map(MIDIFileTests.file(note)) == nil)
    // Invalid events: a tempo of 0, a metre of 0 beats, and a beat of 1/512.
    let odd: [UInt8] =
      [0, 0xFF, 0x51, 3, 0, 0, 0, 0, 0xFF, 0x58, 4, 0, 2, 24, 8, 0, 0xFF, 0x58, 4, 3, 9, 24, 8]
      + MIDIFileTests.end
    #expect(Self.map(MIDIFileTests.file(odd)) == nil)
    let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40] + MIDIFileTests.end
    #expect(Self.map(MIDIFileTests.file(division: [0xE7, 40], tempo)) == nil)
    #expect(Self.map(Array("no MIDI".utf8)) == nil)
    // Events before the end of a truncated file count.
    let whole = MIDIFileTests.file(Array(tempo.dropLast(4)) + note)
    #expect(Self.map(Array(whole.dropLast(2))) != nil)
  }
}
