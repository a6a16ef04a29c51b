import BacklineTestSupport
import Testing

@Suite struct ChordTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/chrd/bkln").descriptor, parameters: parameters)
  }

  private static let chords: [[Int]] = [
    [0, 12], [0, 7], [0, 4, 7], [0, 3, 7], [0, 3, 6], [0, 4, 8], [0, 2, 7], [0, 5, 7],
    [0, 4, 7, 9], [0, 3, 7, 9], [0, 4, 7, 10], [0, 4, 7, 11], [0, 3, 7, 10], [0, 3, 6, 9],
    [0, 4, 7, 10, 14], [0, 3, 7, 10, 14],
  ]

  @Test(arguments: chords.indices) func aKeyPlaysItsChord(type: Int) throws {
    let chord = Self.chords[type]
    for inversion in 0..<5 {
      let raised = min(inversion, chord.count - 1)
      let expected = Set(chord.enumerated().map { $0.element + ($0.offset < raised ? 12 : 0) })
      let host = try host(["type": Float(type), "inversion": Float(inversion)])
      _ = host.render(frames: 600, events: key(60, 100, 500, channel: 3))
      #expect(host.played.map { $0.note - 60 } == expected.sorted())
      #expect(
        host.played.allSatisfy {
          $0.start == 100 && $0.end == 500 && $0.channel == 3 && $0.velocity == 100
        })
    }
  }

  @Test func anOwnChordHasEachNoteOnceAndNoneBeyondTheKeys() throws {
    let host = try host([
      "type": 16, "own.note_2": -12, "own.note_3": 7, "own.note_4": 7, "own.note_5": 24,
      "own.note_6": -3,
    ])
    _ = host.render(frames: 600, events: key(60, 0, 50) + key(110, 100, 150) + key(5, 200, 250))
    #expect(
      host.played.map(\.note) == [48, 57, 60, 67, 84] + [98, 107, 110, 117] + [2, 5, 12, 29])
  }

  @Test func aReleasedKeyStopsItsStrum() throws {
    let host = try host(["type": 14, "strum": 200])
    _ = host.render(frames: 24_000, events: key(60, 0, 3000))
    #expect(host.played.map(\.start) == [0, 2400])
    #expect(host.played.allSatisfy { $0.end == 3000 })
  }

  /// C major and E minor share E and G.
  @Test func chordsShareNotes() throws {
    let host = try host(["type": 2])
    let minor = UnitHost.Event.parameter(host.address("type"), 3, at: 50)
    _ = host.render(frames: 400, events: key(60, 0, 300) + [minor] + key(64, 100, 200))
    let ends = host.list.filter { $0.bytes[0] == 0x80 }
    #expect(
      ends == [
        Sent(100, [0x80, 64, 64]), Sent(100, [0x80, 67, 64]), Sent(200, [0x80, 71, 0]),
        Sent(300, [0x80, 60, 0]), Sent(300, [0x80, 64, 0]), Sent(300, [0x80, 67, 0]),
      ])
  }
}
