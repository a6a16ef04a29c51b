import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// MIDI Polyphonic Expression: what is said of one note by its channel.
@Suite struct SineExpressionTests {
  let unit = BuiltInUnit("aumu/sine/bkln")

  private func host() throws -> UnitHost {
    try UnitHost(
      unit.descriptor, outputChannels: [1],
      parameters: ["level": -12, "attack": 0.001, "decay": 0.001, "sustain": 100, "release": 0.01])
  }

  private func controls(_ pairs: (UInt8, UInt8)..., channel: UInt8) -> [UnitHost.Event] {
    pairs.map { .midi([0xB0 | channel, $0.0, $0.1], at: 0) }
  }

  /// A lower zone of `members` channels beside the first.
  private func zone(_ members: UInt8) -> [UnitHost.Event] {
    controls((101, 0), (100, 6), (6, members), channel: 0)
  }

  private func note(_ key: UInt8, channel: UInt8, at frame: Int = 0) -> UnitHost.Event {
    .midi([0x90 | channel, key, 127], at: frame)
  }

  /// `share` of the whole range, from -1 to 1.
  private func bend(_ share: Double, channel: UInt8, at frame: Int = 0) -> UnitHost.Event {
    let value = 8192 + Int((share * (share > 0 ? 8191 : 8192)).rounded())
    return .midi([0xE0 | channel, UInt8(value & 127), UInt8(value >> 7)], at: frame)
  }

  /// The level of a partial after the first 4096 frames, full scale 1.
  private func level(_ signal: [Float], _ frequency: Double) -> Double {
    Double(SineFit(signal[4096..<52_096], frequency: frequency, sampleRate: 48_000).amplitude)
  }

  private func render(_ events: [UnitHost.Event]) throws -> [Float] {
    try host().render(frames: 52_096, events: events)[0]
  }

  /// At -12 dB.
  private let full = 0.2511886

  @Test func aNoteBendsAlone() throws {
    let signal = try render(
      zone(5) + [note(69, channel: 1), note(57, channel: 2), bend(0.25, channel: 1)])
    // A quarter of 48 semitones is an octave.
    #expect(abs(level(signal, 880) - full) < 5e-3)
    #expect(abs(level(signal, 220) - full) < 5e-3)
    #expect(level(signal, 440) < 2e-3)
  }

  @Test func theMastersWheelBendsAllOfTheZoneAndNoOther() throws {
    let signal = try render(
      zone(5) + [
        note(69, channel: 1), note(57, channel: 8), bend(1, channel: 0), bend(0.25, channel: 1),
      ])
    #expect(abs(level(signal, 440 * pow(2, 14.0 / 12)) - full) < 5e-3)
    #expect(abs(level(signal, 220) - full) < 5e-3)
  }

  @Test func aRangeSaidOnOneMemberHoldsForAll() throws {
    let signal = try render(
      zone(5) + controls((101, 0), (100, 0), (6, 12), channel: 3) + [
        note(69, channel: 1), bend(1, channel: 1),
      ])
    #expect(abs(level(signal, 880) - full) < 5e-3)
  }

  @Test func withoutAZoneARangeIsTheChannelsOwn() throws {
    let signal = try render(
      controls((101, 0), (100, 0), (6, 12), channel: 1) + [
        note(69, channel: 1), bend(1, channel: 1), note(57, channel: 2), bend(1, channel: 2),
      ])
    #expect(abs(level(signal, 880) - full) < 5e-3)
    #expect(abs(level(signal, 220 * pow(2, 2.0 / 12)) - full) < 5e-3)
  }

  @Test func pressureDoublesTheLevelOfItsNote() throws {
    let signal = try render(
      zone(5) + [
        note(69, channel: 1), note(57, channel: 2), .midi([0xD1, 127], at: 100),
      ])
    #expect(abs(level(signal, 440) - 2 * full) < 2e-3)
    #expect(abs(level(signal, 220) - full) < 5e-3)
  }

  /// sin³ x = (3 sin x - sin 3x) / 4.
  @Test func timbreCubesItsNote() throws {
    let signal = try render(
      zone(5) + [note(69, channel: 1), .midi([0xB1, 74, 127], at: 100)])
    #expect(abs(level(signal, 440) - 0.75 * full) < 2e-3)
    #expect(abs(level(signal, 1320) - 0.25 * full) < 2e-3)
  }

  @Test func theMastersPedalHoldsTheZonesNotes() throws {
    let held: [UnitHost.Event] = [
      note(69, channel: 1), .midi([0xB0, 64, 127], at: 10), .midi([0x81, 69, 0], at: 20),
    ]
    #expect(abs(level(try render(zone(5) + held), 440) - full) < 5e-3)
    let released = held + [.midi([0xB0, 64, 0], at: 30)]
    #expect(level(try render(zone(5) + released), 440) < 1e-4)
    let silenced = held + [.midi([0xB0, 64, 0], at: 40), note(69, channel: 1, at: 50)]
    #expect(
      level(try render(zone(5) + silenced + [.midi([0xB0, 123, 0], at: 60)]), 440) < 1e-4)
  }

  @Test func aZoneIsTakenBack() throws {
    let signal = try render(
      zone(5) + zone(0) + [note(69, channel: 1), bend(1, channel: 0)])
    #expect(abs(level(signal, 440) - full) < 5e-3)
  }

  /// Zones before and after, and a channel that is in one no longer: its wheel bends by the instrument's two
  /// semitones. The members of what is left keep 48, and the masters two.
  @Test(arguments: [
    ([(0, 15)], [(0, 5)]), ([(0, 5)], [(0, 0)]), ([(15, 7)], [(15, 2)]), ([(15, 7)], [(15, 0)]),
    ([(0, 7), (15, 7)], [(0, 3)]), ([(0, 7), (15, 7)], [(0, 10)]), ([(0, 3), (15, 5)], [(0, 14)]),
    ([(15, 3), (0, 5)], [(15, 14)]), ([(0, 7), (15, 7)], [(0, 0), (15, 0)]),
  ])
  func whoLeavesAZoneHasTheInstrumentsBendRange(before: [(Int, Int)], after: [(Int, Int)]) throws {
    // The members of each master, by the last message of each zone.
    var members: [Int: Int] = [:]
    for (master, count) in before + after {
      members[master] = count
      members[15 - master] = min(members[15 - master] ?? 0, max(0, 14 - count))
    }
    for channel in 0..<16 {
      let isMember =
        1...15 ~= channel && channel <= members[0] ?? 0
        || 0...14 ~= channel && channel >= 15 - (members[15] ?? 0)
      let events = (before + after).flatMap {
        controls((101, 0), (100, 6), (6, UInt8($0.1)), channel: UInt8($0.0))
      }
      let signal = try render(
        events + [note(69, channel: UInt8(channel)), bend(0.25, channel: UInt8(channel))])
      let semitones = isMember ? 12 : 0.5
      #expect(abs(level(signal, 440 * pow(2, semitones / 12)) - full) < 5e-3, "channel \(channel)")
    }
  }

  /// MIDI 1.0: registered parameters 0 (semitones and cents), 1 (14 bits for a semitone up and down) and 2
  /// (semitones from 64); of a member for itself, of the master for its zone.
  @Test(arguments: [0, 5]) func registeredParametersTuneAChannel(members: UInt8) throws {
    let words: [([(UInt8, UInt8)], Double)] = [
      ([(101, 0), (100, 0), (6, 2), (38, 50)], 2.5), ([(100, 0), (101, 0), (6, 12), (38, 0)], 12),
      ([(101, 0), (100, 1), (6, 80), (38, 0)], 0.25),
      ([(101, 0), (100, 1), (6, 64), (38, 64)], 1 / 128),
      ([(101, 0), (100, 2), (6, 76)], 12), ([(101, 0), (100, 2), (6, 52), (38, 9)], -12),
      // Nothing is selected.
      ([(101, 0), (100, 2), (101, 127), (100, 127), (6, 76)], 0),
      ([(101, 0), (100, 2), (99, 1), (98, 2), (6, 76)], 0),
      // The fine half alone says nothing.
      ([(101, 0), (100, 1), (38, 64)], 0),
    ]
    for (pairs, semitones) in words {
      let isRange = pairs[1].1 == 0 || pairs[0].1 == 0 && pairs[0].0 == 100
      for channel in [0, 1] as [UInt8] {
        let says = pairs.map { UnitHost.Event.midi([0xB0 | channel, $0.0, $0.1], at: 0) }
        let signal = try render(
          zone(members) + says + [note(69, channel: channel)]
            + (isRange ? [bend(1, channel: channel)] : []))
        #expect(
          abs(level(signal, 440 * pow(2, semitones / 12)) - full) < 5e-3, "\(pairs) \(channel)")
      }
    }
    let all = try render(
      zone(5) + controls((101, 0), (100, 2), (6, 76), channel: 0) + [note(69, channel: 3)])
    #expect(abs(level(all, 880) - full) < 5e-3)
  }

  @Test func expressionDoesNotDependOnTheBlocks() throws {
    let events =
      zone(7)
      + (0..<40).flatMap { turn -> [UnitHost.Event] in
        let channel = UInt8(turn % 7 + 1)
        let frame = turn * 97
        return [
          note(UInt8(50 + turn % 12), channel: channel, at: frame),
          bend(Double(turn % 5 - 2) / 4, channel: channel, at: frame + 31),
          .midi([0xD0 | channel, UInt8(turn * 3 % 128)], at: frame + 43),
          .midi([0xB0 | channel, 74, UInt8(turn * 7 % 128)], at: frame + 59),
        ]
      }
    let whole = try host().render(frames: 5000, blockSizes: [4096], events: events)[0]
    for blocks in [[1], [17], [64], [480, 3]] {
      let parts = try host().render(frames: 5000, blockSizes: blocks, events: events)[0]
      #expect(firstDifference(whole, parts) == nil)
    }
  }

  /// General MIDI 2: 40 log10(value / 127) dB, for each of the two; without a message, 0 dB.
  @Test func volumeAndExpressionSetTheLevelOfTheirChannel() throws {
    let signal = try render(
      controls((7, 90), (11, 64), channel: 1) + [note(69, channel: 1), note(57, channel: 2)])
    let share: Double = 90.0 / 127 * 64 / 127
    #expect(abs(level(signal, 440) - full * share * share) < 1e-3)
    #expect(abs(level(signal, 220) - full) < 1e-3)
    let reset = try render(
      controls((7, 90), (11, 0), (121, 0), channel: 1) + [note(69, channel: 1)])
    #expect(abs(level(reset, 440) - full * 90 * 90 / (127 * 127)) < 1e-3)
  }

  @Test func theMastersVolumeHoldsForItsZone() throws {
    let signal = try render(zone(5) + controls((7, 64), channel: 0) + [note(69, channel: 1)])
    #expect(abs(level(signal, 440) - full * 64 * 64 / (127 * 127)) < 1e-3)
  }

  @Test func sixHardNotesStayWithinFullScale() throws {
    let host = try UnitHost(unit.descriptor, outputChannels: [1])
    let chord = [48, 52, 55, 60, 64, 67].map { note($0, channel: 0) }
    let signal = host.render(frames: 48_000, events: chord)[0]
    #expect((signal.map(abs).max() ?? 9) < 1)
  }
}
