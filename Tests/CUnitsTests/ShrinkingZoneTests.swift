import BacklineTestSupport
import Testing

/// A zone of MPE that shrinks while a note sounds on a channel that leaves it: from there on, the
/// master's pedals and bend are not the note's.
@Suite struct ShrinkingZoneTests {
  private func host(_ code: String) throws -> UnitHost {
    let unit = BuiltInUnit(code)
    guard code == "aumu/smpl/bkln" else {
      return try UnitHost(unit.descriptor, outputChannels: [1])
    }
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "sine.sfz", bytes: Array("<region> sample=*sine ampeg_release=0.1".utf8))
    return try UnitHost(unit.descriptor, outputChannels: [1], properties: ["file": file])
  }

  private func message(_ bytes: [UInt8], at seconds: Double) -> UnitHost.Event {
    .midi(bytes, at: Int(seconds * 48_000))
  }

  /// A lower zone with so many members.
  private func zone(_ members: UInt8, at seconds: Double) -> [UnitHost.Event] {
    let controllers: [[UInt8]] = [[0xB0, 101, 0], [0xB0, 100, 6], [0xB0, 6, members]]
    return controllers.map { message($0, at: seconds) }
  }

  private let struck: [UInt8] = [0x95, 69, 100]
  private let letGo: [UInt8] = [0x85, 69, 0]

  /// Whether the note sounds at the end of the first second, and of the sixth.
  private func sounds(_ code: String, _ events: [UnitHost.Event]) throws -> [Bool] {
    let output = try host(code).render(frames: 6 * 48_000, events: events)[0]
    return [1, 6].map { second in
      (output[(second * 48_000 - 2400)..<(second * 48_000)].map(abs).max() ?? 0) > 0.001
    }
  }

  /// What only a pedal of the master held ends as the zone shrinks.
  @Test(arguments: HeldNotesTests.instruments, [UInt8(64), 66]) func thePedalLetsGo(
    code: String, pedal: UInt8
  ) throws {
    let held = [
      message(struck, at: 0.01), message([0xB0, pedal, 127], at: 0.2), message(letGo, at: 0.5),
    ]
    #expect(try sounds(code, zone(7, at: 0) + held) == [true, true])
    #expect(try sounds(code, zone(7, at: 0) + held + zone(3, at: 1)) == [true, false])
  }

  /// A key that is down holds its note, and ends it though the master's pedal is down.
  @Test(arguments: HeldNotesTests.instruments) func theKeyEndsItsNote(code: String) throws {
    let down = [message(struck, at: 0.01), message([0xB0, 64, 127], at: 0.2)]
    let shrunk = zone(7, at: 0) + down + zone(3, at: 0.5)
    #expect(try sounds(code, shrunk) == [true, true])
    #expect(try sounds(code, shrunk + [message(letGo, at: 1.5)]) == [true, false])
  }

  /// Two semitones up by the master's wheel, and back at the key's own pitch.
  @Test(arguments: ["aumu/sine/bkln", "aumu/smpl/bkln"]) func theBendLetsGo(code: String) throws {
    let output = try host(code).render(
      frames: 2 * 48_000,
      events: zone(7, at: 0) + [message([0xE0, 0x7F, 0x7F], at: 0), message(struck, at: 0.01)]
        + zone(3, at: 1))[0]
    let (bent, straight) = (Array(output[24_000..<33_600]), Array(output[72_000..<81_600]))
    let raised = 440 * 1.122462048309373
    #expect(Spectrum.amplitude(bent, at: raised) > 20 * Spectrum.amplitude(bent, at: 440))
    #expect(Spectrum.amplitude(straight, at: 440) > 20 * Spectrum.amplitude(straight, at: raised))
  }
}
