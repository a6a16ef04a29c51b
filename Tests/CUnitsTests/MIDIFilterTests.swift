import BacklineTestSupport
import Testing

@Suite struct MIDIFilterTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/mflt/bkln").descriptor, parameters: parameters)
  }

  private func sent(
    _ parameters: [String: Float], _ messages: [[UInt8]]
  ) throws -> [[UInt8]] {
    let host = try host(parameters)
    _ = host.render(
      frames: 4000, blockSizes: [64],
      events: messages.enumerated().map { .midi($0.element, at: $0.offset) })
    return host.sentMIDI.map(\.bytes)
  }

  /// Every key at several velocities on three channels, through random zones.
  @Test(arguments: 1...12) func keepsWhatLiesInItsZones(seed: UInt64) throws {
    var random = Random(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    let (keys, velocities) = (
      [number(0...127), number(0...127)].sorted(), [number(1...127), number(1...127)].sorted()
    )
    let (from, to, transpose) = (number(0...3), number(0...16), number(-48...48))
    let host = try host([
      "from_channel": Float(from), "to_channel": Float(to), "transpose": Float(transpose),
      "low_key": Float(keys[0]), "high_key": Float(keys[1]),
      "low_velocity": Float(velocities[0]), "high_velocity": Float(velocities[1]),
    ])
    var (events, expected): ([UnitHost.Event], [Sent]) = ([], [])
    for index in 0..<128 * 3 {
      let (key, channel, velocity) = (index % 128, index / 128, 1 + index * 37 % 127)
      events.append(.midi([0x90 | UInt8(channel), UInt8(key), UInt8(velocity)], at: 10 * index))
      events.append(.midi([0x80 | UInt8(channel), UInt8(key), 5], at: 10 * index + 7))
      guard from == 0 || from - 1 == channel, keys[0]...keys[1] ~= key,
        velocities[0]...velocities[1] ~= velocity, 0..<128 ~= key + transpose
      else { continue }
      let (output, note) = (UInt8(to == 0 ? channel : to - 1), UInt8(key + transpose))
      expected.append(Sent(10 * index, [0x90 | output, note, UInt8(velocity)]))
      expected.append(Sent(10 * index + 7, [0x80 | output, note, 5]))
    }
    _ = host.render(frames: 4000, blockSizes: [64], events: events)
    #expect(firstDifference(host.list, expected) == nil)
  }

  @Test(arguments: ["notes", "controllers", "bend", "pressure", "program"])
  func leavesOutKinds(_ kind: String) throws {
    let kinds: [(String, [UInt8])] = [
      ("notes", [0x95, 60, 9]), ("pressure", [0xA5, 60, 9]), ("controllers", [0xB5, 7, 9]),
      ("program", [0xC5, 9]), ("pressure", [0xD5, 9]), ("bend", [0xE5, 1, 2]), ("", [0xF8]),
      ("notes", [0x85, 60, 9]),
    ]
    let messages = try sent([kind: 0], kinds.map(\.1))
    // The pressure of a key goes with its note.
    #expect(
      messages
        == kinds.filter { $0.0 != kind && !(kind == "notes" && $0.1[0] == 0xA5) }.map(\.1))
  }

  @Test func aMappedControllerBecomesAnother() throws {
    let messages = try sent(["map.from": 1, "map.to": 74], [[0xB0, 1, 9], [0xB0, 74, 3]])
    #expect(messages == [[0xB0, 74, 9], [0xB0, 74, 3]])
  }

  @Test func passesEverythingUnchangedByDefault() throws {
    let messages: [[UInt8]] = (0..<128).map { [0xB3, $0, 127 - $0] }
    #expect(try sent([:], messages) == messages)
  }

  @Test func aKeyEndsWhereItBegan() throws {
    let host = try host()
    _ = host.render(
      frames: 100,
      events: [
        .midi([0x90, 60, 99], at: 0), .parameter(host.address("from_channel"), 5, at: 1),
        .parameter(host.address("to_channel"), 7, at: 1),
        .parameter(host.address("notes"), 0, at: 1),
        .parameter(host.address("low_key"), 100, at: 1),
        .parameter(host.address("transpose"), 7, at: 1), .midi([0x80, 60, 3], at: 2),
      ])
    #expect(host.list == [Sent(0, [0x90, 60, 99]), Sent(2, [0x80, 60, 3])])
  }

  /// Two keys on one note: it is struck anew, and ends with the last of them.
  @Test func keysThatShareANoteHoldItTogether() throws {
    let host = try host(["to_channel": 1])
    _ = host.render(
      frames: 100,
      events: [
        .midi([0x90, 60, 1], at: 0), .midi([0x91, 60, 2], at: 10), .midi([0x91, 60, 0], at: 20),
        .midi([0x80, 60, 9], at: 30),
      ])
    #expect(
      host.list == [
        Sent(0, [0x90, 60, 1]), Sent(10, [0x80, 60, 64]), Sent(10, [0x90, 60, 2]),
        Sent(30, [0x80, 60, 9]),
      ])
  }

  @Test(arguments: ["from_channel", "to_channel", "controllers", "map.from", "map.to"])
  func aPedalThatIsDownGoesUp(_ parameter: String) throws {
    let host = try host(["to_channel": 3])
    let value: Float = parameter == "controllers" ? 0 : parameter.hasPrefix("map") ? 64 : 9
    _ = host.render(
      frames: 100,
      events: [
        .midi([0xB0, 64, 127], at: 0), .parameter(host.address(parameter), value, at: 10),
      ])
    #expect(host.list == [Sent(0, [0xB2, 64, 127]), Sent(10, [0xB2, 64, 0])])
  }

  @Test(arguments: ["from_channel", "to_channel", "bend"])
  func aBendGoesBack(_ parameter: String) throws {
    let host = try host(["to_channel": 3])
    let value: Float = parameter == "bend" ? 0 : 9
    _ = host.render(
      frames: 100,
      events: [
        .midi([0xE0, 5, 90], at: 0), .parameter(host.address(parameter), value, at: 10),
        .parameter(host.address(parameter), value, at: 20),
      ])
    #expect(host.list == [Sent(0, [0xE2, 5, 90]), Sent(10, [0xE2, 0, 64])])
  }

  @Test func panicEndsAllNotes() throws {
    let host = try host(["to_channel": 2])
    _ = host.render(
      frames: 100,
      events: [
        .midi([0x90, 60, 99], at: 0), .midi([0x93, 64, 99], at: 1),
        .parameter(host.address("panic"), 0, at: 4), .parameter(host.address("panic"), 1, at: 5),
        .midi([0x80, 60, 0], at: 9),
      ])
    let channels: Range<UInt8> = 0..<16
    let ended: [[UInt8]] = [[0x91, 60, 99], [0x91, 64, 99], [0x81, 60, 64], [0x81, 64, 64]]
    let released = channels.flatMap { channel -> [[UInt8]] in
      [[0xB0 | channel, 64, 0], [0xB0 | channel, 66, 0], [0xE0 | channel, 0, 64]]
    }
    let quiet = channels.flatMap { channel -> [[UInt8]] in
      [[0xB0 | channel, 123, 0], [0xB0 | channel, 120, 0]]
    }
    #expect(host.list.map(\.bytes) == ended + released + quiet)
    #expect(host.list.last?.time == 5)
  }
}
