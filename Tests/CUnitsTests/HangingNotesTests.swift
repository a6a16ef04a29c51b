import BacklineTestSupport
import CUnit
import Testing

/// Whatever happens, every note that a unit begins ends, and none begins twice.
@Suite struct HangingNotesTests {
  private static let senders = MIDIProcessorTests.senders
  private static let frames = 1_000_000

  /// Keys go down and up as keys do; pedals, wheels, all notes off and every parameter at random, and
  /// in the end all keys up. 100,000 for all units together.
  private func events(_ unit: BuiltInUnit, count: Int, seed: UInt64) -> [UnitHost.Event] {
    var random = Random(seed: seed)
    var down: Set<[UInt8]> = []
    var events: [UnitHost.Event] = []
    for index in 0..<count {
      let frame = index * Self.frames / count
      let channel = UInt8.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<70:
        let key = [channel, UInt8.random(in: 30..<60, using: &random)]
        if down.remove(key) != nil {
          events.append(.midi([0x80 | channel, key[1], 30], at: frame))
        } else {
          down.insert(key)
          let velocity = UInt8.random(in: 1...127, using: &random)
          events.append(.midi([0x90 | channel, key[1], velocity], at: frame))
        }
      case 70..<72:
        events.append(
          .midi([0xB0 | channel, [120, 123, 126].randomElement(using: &random)!, 0], at: frame))
      case 72..<80:
        let controller = [UInt8(1), 64].randomElement(using: &random)!
        let value = UInt8.random(in: 0..<128, using: &random)
        events.append(.midi([0xB0 | channel, controller, value], at: frame))
      case 80..<82: events.append(.midi([0xE0 | channel, 0, 80], at: frame))
      default:
        let place = Int.random(in: 0..<unit.parameters.count, using: &random)
        let parameter = unit.parameters[place]
        let value = Float.random(in: parameter.minimum...parameter.maximum, using: &random)
        let isWhole = parameter.unit == BL_UNIT_INDEXED || parameter.unit == BL_UNIT_BOOLEAN
        events.append(.parameter(UInt64(place), isWhole ? value.rounded() : value, at: frame))
      }
    }
    events += down.map { .midi([0x80 | $0[0], $0[1], 30], at: Self.frames) }
    events += (0..<16).map { .midi([0xB0 | $0, 64, 0], at: Self.frames) }
    return events + MIDIProcessorTests.letsGo(unit, at: Self.frames)
  }

  /// A transport that starts, stops and jumps every third of a second, at any tempo.
  private static func music(_ time: Int64) -> (bl_musical_context, bl_transport_state) {
    let part = time / 16_000
    var random = Random(seed: UInt64(part))
    var (context, transport) = (bl_musical_context(), bl_transport_state())
    context.tempo = Double.random(in: 30...300, using: &random)
    context.time_signature_numerator = 4
    context.time_signature_denominator = 4
    context.beat_position =
      Double.random(in: -4...400, using: &random)
      + Double(time - 16_000 * part) * context.tempo / (60 * 48_000)
    let moves = Bool.random(using: &random) && time < Self.frames
    transport.flags = moves ? UInt32(BL_TRANSPORT_MOVING) : 0
    return (context, transport)
  }

  @Test(arguments: senders) func everyNoteEndsAndNoneIsDoubled(_ unit: BuiltInUnit) throws {
    let host = try UnitHost(unit.descriptor)
    host.music = Self.music
    let count = 100_000 / Self.senders.count
    _ = host.render(
      frames: Self.frames + 48_000 * 13, blockSizes: [1024],
      events: events(unit, count: count, seed: 7))
    var (open, doubled): (Set<[UInt8]>, [Sent]) = ([], [])
    var pedals: Set<UInt8> = []
    for message in host.list where message.bytes.count == 3 {
      let (kind, channel) = (message.bytes[0] & 0xF0, message.bytes[0] & 15)
      let note = [channel, message.bytes[1]]
      switch kind {
      case 0x80: open.remove(note)
      case 0x90: if !open.insert(note).inserted { doubled.append(message) }
      case 0xB0 where note[1] == 64:
        if message.bytes[2] >= 64 { pedals.insert(channel) } else { pedals.remove(channel) }
      case 0xB0 where note[1] == 120 || note[1] >= 123: open = open.filter { $0[0] != channel }
      default: break
      }
    }
    #expect(open.isEmpty, "\(open.sorted { $0[1] < $1[1] })")
    // A slow wave may move the pedal as well.
    if unit.description != "aumi/lfcc/bkln" { #expect(pedals.isEmpty) }
    #expect(doubled.isEmpty, "\(doubled.prefix(3))")
  }
}
