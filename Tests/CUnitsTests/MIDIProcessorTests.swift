import BacklineTestSupport
import CUnit
import Testing

/// What every unit that sends MIDI must keep to.
@Suite struct MIDIProcessorTests {
  static let senders = BuiltInUnit.all.filter { $0.has(BL_UNIT_MIDI_OUTPUT) }

  /// Beats at 90 a minute that the transport of a host counts, from frame 1000 on.
  private static func music(_ time: Int64) -> (bl_musical_context, bl_transport_state) {
    var context = bl_musical_context()
    context.tempo = 90
    context.beat_position = Double(time - 1000) * 90 / (60 * 48_000)
    var transport = bl_transport_state()
    transport.flags = UInt32(BL_TRANSPORT_MOVING)
    transport.sample_position = time - 1000
    return (context, transport)
  }

  /// Whoever plays on without keys stops.
  static func letsGo(_ unit: BuiltInUnit, at frame: Int) -> [UnitHost.Event] {
    let settings: [String: Float] = ["latch": 0, "play": 2]
    return unit.parameters.enumerated().compactMap { index, parameter in
      settings[String(cString: parameter.identifier)].map {
        .parameter(UInt64(index), $0, at: frame)
      }
    }
  }

  private func sent(
    _ unit: BuiltInUnit, _ events: [UnitHost.Event], frames: Int, blocks: [Int],
    withMusic: Bool = false
  ) throws -> [UnitHost.SentMIDI] {
    let host = try UnitHost(unit.descriptor)
    if withMusic { host.music = Self.music }
    _ = host.render(frames: frames, blockSizes: blocks, events: events)
    return host.sentMIDI
  }

  /// Changes of every parameter and notes at odd moments, the same for the same seed.
  private func changesAndNotes(
    _ unit: BuiltInUnit, frames: Int, seed: UInt64
  ) -> [UnitHost.Event] {
    var random = Random(seed: seed)
    var events: [UnitHost.Event] = []
    for (index, parameter) in unit.parameters.enumerated() {
      for _ in 0..<4 {
        let value = Float.random(in: parameter.minimum...parameter.maximum, using: &random)
        let isWhole = parameter.unit == BL_UNIT_INDEXED || parameter.unit == BL_UNIT_BOOLEAN
        events.append(
          .parameter(
            UInt64(index), isWhole ? value.rounded() : value,
            at: Int.random(in: 0..<frames, using: &random)))
      }
    }
    for _ in 0..<12 {
      let note = UInt8.random(in: 30..<100, using: &random)
      let start = Int.random(in: 0..<frames, using: &random)
      events.append(.midi([0x90, note, 100], at: start))
      events.append(.midi([0x80, note, 0], at: start + 700))
    }
    return events
  }

  @Test func thereAreSome() { #expect(Self.senders.count >= 3) }

  @Test(arguments: senders, [false, true])
  func blockSizeDoesNotMatter(_ unit: BuiltInUnit, withMusic: Bool) throws {
    let frames = 60_000
    for seed in 1...4 {
      // Keys that are held throughout, so that there is something to play on every beat.
      let events =
        [UnitHost.Event.midi([0x90, 40, 90], at: 5), .midi([0x91, 47, 70], at: 9)]
        + changesAndNotes(unit, frames: frames, seed: UInt64(seed))
      let expected = try sent(unit, events, frames: frames, blocks: [4096], withMusic: withMusic)
      #expect(!expected.isEmpty)
      for blocks in [[17], [64], [480], [1, 64, 17, 480, 3, 4096, 1024, 63]] {
        let again = try sent(unit, events, frames: frames, blocks: blocks, withMusic: withMusic)
        #expect(firstDifference(expected, again) == nil, "blocks of \(blocks), seed \(seed)")
      }
    }
  }

  /// Keys at random, settings at random: when the keys are up and time has passed, all has ended.
  @Test(arguments: senders, [false, true])
  func noNoteHangs(_ unit: BuiltInUnit, withMusic: Bool) throws {
    let frames = 90_000
    for seed in 1...20 {
      var random = Random(seed: UInt64(seed))
      var events = changesAndNotes(unit, frames: frames, seed: UInt64(seed))
      for _ in 0..<150 {
        let note = UInt8.random(in: 0..<128, using: &random)
        let channel = UInt8.random(in: 0..<3, using: &random)
        let start = Int.random(in: 0..<frames - 5000, using: &random)
        let length = Int.random(in: 0..<4000, using: &random)
        events.append(.midi([0x90 | channel, note, 90], at: start))
        events.append(.midi([0x80 | channel, note, 0], at: start + length))
      }
      events += Self.letsGo(unit, at: frames)
      let messages = try sent(
        unit, events, frames: frames + 48_000 * 15, blocks: [997], withMusic: withMusic)
      #expect(open(messages).isEmpty, "seed \(seed)")
      let times = messages.map(\.sampleTime)
      #expect(firstDifference(times, times.sorted()) == nil)
      #expect(messages.allSatisfy { isWhole($0.bytes) })
    }
  }

  @Test(arguments: senders) func garbageIsNotHandedOn(_ unit: BuiltInUnit) throws {
    var random = Random(seed: 3)
    let events = (0..<4000).map { _ in
      let bytes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      return UnitHost.Event.midi(bytes, at: Int.random(in: 0..<20_000, using: &random))
    }
    let messages = try sent(unit, events, frames: 24_000, blocks: [64])
    #expect(messages.allSatisfy { isWhole($0.bytes) })
  }

  @Test(arguments: senders) func aFloodIsBounded(_ unit: BuiltInUnit) throws {
    let flood = (0..<8000).map { index in
      UnitHost.Event.midi([0x90 | UInt8(index / 128 % 16), UInt8(index % 128), 1], at: index / 100)
    }
    let messages = try sent(unit, flood, frames: 24_000, blocks: [64])
    // As many as a chord of three begins and ends.
    #expect(messages.count <= 6 * flood.count)
  }

  @Test(arguments: senders) func controllersPass(_ unit: BuiltInUnit) throws {
    let wheel: [[UInt8]] = [[0xB2, 1, 64], [0xE0, 0, 64], [0xC5, 9], [0xD1, 80], [0xFE]]
    let messages = try sent(
      unit, wheel.enumerated().map { .midi($0.element, at: 10 * $0.offset) }, frames: 100,
      blocks: [64]
    ).filter { wheel.contains($0.bytes) }  // some send messages of their own
    #expect(messages.map(\.bytes) == wheel)
    #expect(messages.map(\.sampleTime) == [0, 10, 20, 30, 40])
  }

  @Test(arguments: senders) func resetGivesTheSameAgain(_ unit: BuiltInUnit) throws {
    let keys = (0..<5).map { UnitHost.Event.midi([0x90, UInt8(60 + 2 * $0), 80], at: 7 * $0) }
    let host = try UnitHost(unit.descriptor)
    _ = host.render(frames: 40_000, events: keys)
    let first = host.sentMIDI
    host.reset()
    _ = host.render(frames: 40_000, events: keys)
    let second = host.sentMIDI.dropFirst(first.count).map {
      UnitHost.SentMIDI(sampleTime: $0.sampleTime - 40_000, cable: $0.cable, bytes: $0.bytes)
    }
    #expect(firstDifference(first, second) == nil)
  }
}

/// The notes that have begun and not ended, and how often.
func open(_ messages: [UnitHost.SentMIDI]) -> [[UInt8]: Int] {
  var open: [[UInt8]: Int] = [:]
  for bytes in messages.map(\.bytes) where bytes.count == 3 {
    let key = [bytes[0] & 15, bytes[1]]
    switch (bytes[0] & 0xF0, bytes[2]) {
    case (0x80, _), (0x90, 0): open[key] = nil
    case (0x90, _): open[key, default: 0] += 1
    case (0xB0, _) where bytes[1] == 120 || bytes[1] >= 123:
      open = open.filter { $0.key[0] != key[0] }
    default: break
    }
  }
  return open
}

func isWhole(_ bytes: [UInt8]) -> Bool {
  guard let status = bytes.first, status >= 0x80, bytes.dropFirst().allSatisfy({ $0 < 0x80 }) else {
    return false
  }
  switch status {
  case 0xC0...0xDF, 0xF1, 0xF3: return bytes.count == 2
  case 0x80...0xEF, 0xF2: return bytes.count == 3
  default: return bytes.count == 1
  }
}
