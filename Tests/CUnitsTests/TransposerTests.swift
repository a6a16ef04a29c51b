import BacklineTestSupport
import CUnit
import Testing

@Suite struct TransposerTests {
  private func sent(
    _ events: [UnitHost.Event], _ parameters: [String: Float] = [:]
  ) throws -> [[UInt8]] {
    let host = try UnitHost(BuiltInUnit("aumi/trns/bkln").descriptor, parameters: parameters)
    _ = host.render(frames: 1000, events: events)
    return host.sentMIDI.map(\.bytes)
  }

  @Test(arguments: [-48, -1, 0, 1, 7, 48])
  func movesEveryNoteThatThereIs(semitones: Int) throws {
    let events = (0..<128).flatMap { key -> [UnitHost.Event] in
      [
        .midi([0x93, UInt8(key), 99], at: 2 * key), .midi([0xA3, UInt8(key), 5], at: 2 * key),
        .midi([0x83, UInt8(key), 42], at: 2 * key + 1),
      ]
    }
    let messages = try sent(events, ["semitones": Float(semitones)])
    let expected = (0..<128).map { $0 + semitones }.filter((0..<128).contains).flatMap {
      note -> [[UInt8]] in
      [[0x93, UInt8(note), 99], [0xA3, UInt8(note), 5], [0x83, UInt8(note), 42]]
    }
    #expect(firstDifference(messages, expected) == nil)
  }

  @Test func aNoteEndsWhereItBeganWhateverIsSetMeanwhile() throws {
    let messages = try sent([
      .midi([0x90, 60, 99], at: 0), .parameter(0, 5, at: 10), .midi([0x80, 60, 0], at: 20),
      .midi([0x90, 60, 98], at: 30), .parameter(0, 7, at: 40), .midi([0x90, 60, 97], at: 50),
      .midi([0x90, 60, 0], at: 60),
    ])
    #expect(
      messages == [
        [0x90, 60, 99], [0x80, 60, 0], [0x90, 65, 98], [0x80, 65, 64], [0x90, 67, 97],
        [0x80, 67, 0],
      ])
  }

  /// The white keys, each from the octave's own table, of two as near the lower.
  @Test func aScaleTakesTheNearestNote() throws {
    let messages = try sent(
      (0..<12).map { .midi([0x90, UInt8(60 + $0), 1], at: $0) }, ["scale": 1])
    #expect(
      messages.filter { $0[0] == 0x90 }.map { $0[1] } == [
        60, 60, 62, 62, 64, 65, 65, 67, 67, 69, 69, 71,
      ])
    let inD = try sent(
      [.midi([0x90, 60, 1], at: 0), .midi([0x90, 61, 1], at: 1)], ["scale": 1, "root": 2])
    #expect(inD.map { $0[1] } == [59, 61])
  }

  /// The second strikes it anew.
  @Test func twoKeysOnOneNoteEndItTogether() throws {
    let messages = try sent(
      [
        .midi([0x90, 60, 1], at: 0), .midi([0x90, 61, 2], at: 1), .midi([0x80, 60, 0], at: 2),
        .midi([0x80, 61, 0], at: 3),
      ], ["scale": 1])
    #expect(messages == [[0x90, 60, 1], [0x80, 60, 64], [0x90, 60, 2], [0x80, 60, 0]])
  }
}
