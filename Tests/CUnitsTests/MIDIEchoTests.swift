import BacklineTestSupport
import Foundation
import Testing

@Suite struct MIDIEchoTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/mech/bkln").descriptor, parameters: parameters)
  }

  /// Echo k: k times later, k steps higher, velocity · decay^k; as long as the key was held.
  @Test(arguments: [100, 5000, 30_000]) func echoesAreCopies(held: Int) throws {
    let host = try host(["time": 0.25, "taps": 6, "velocity": 80, "pitch": 5])
    _ = host.render(frames: 120_000, blockSizes: [64], events: key(60, 77, 77 + held, channel: 2))
    let expected = (0...6).map { tap in
      [
        77 + 12_000 * tap, 77 + 12_000 * tap + held, 2, 60 + 5 * tap,
        Int((100 * pow(0.8, Double(tap))).rounded()),
      ]
    }
    #expect(
      host.played.map { [$0.start, $0.end ?? -1, $0.channel, $0.note, $0.velocity] } == expected)
  }

  /// Sync is a place among note lengths; halved until it is 1.5 s at most.
  @Test(arguments: [(6, 120.0, 12_000), (9, 90, 32_000), (13, 60, 48_000), (1, 100, 3600)])
  func followsTheTempo(sync: Int, tempo: Double, frames: Int) throws {
    let host = try host(["sync": Float(sync), "taps": 2])
    host.roll(tempo: tempo)
    _ = host.render(frames: 200_000, events: key(60, 10, 500))
    #expect(host.played.map(\.start) == [10, 10 + frames, 10 + 2 * frames])
  }

  @Test func aSoftEchoIsTheLastAndSoIsOneBeyondTheKeys() throws {
    let soft = try host(["time": 0.01, "taps": 8, "velocity": 10])
    _ = soft.render(frames: 10_000, events: key(60, 0, 100))
    #expect(soft.played.map(\.velocity) == [100, 10, 1])
    let high = try host(["time": 0.01, "taps": 8, "pitch": 24])
    _ = high.render(frames: 10_000, events: key(80, 0, 100))
    #expect(high.played.map(\.note) == [80, 104])
  }

  @Test func echoesThatMeetAreOneNoteAtATime() throws {
    // The key again, as its echo sounds: struck anew, it ends with the later end.
    let host = try host(["time": 0.1, "taps": 1, "velocity": 50])
    _ = host.render(frames: 20_000, events: key(60, 0, 2000) + key(60, 5000, 6000))
    #expect(
      host.list == [
        Sent(0, [0x90, 60, 100]), Sent(2000, [0x80, 60, 0]), Sent(4800, [0x90, 60, 50]),
        Sent(5000, [0x80, 60, 64]), Sent(5000, [0x90, 60, 100]), Sent(6800, [0x80, 60, 64]),
        Sent(9800, [0x90, 60, 50]), Sent(10_800, [0x80, 60, 64]),
      ])
  }

  @Test func allNotesOffDropsWhatIsToCome() throws {
    let host = try host(["time": 0.1, "taps": 8])
    _ = host.render(frames: 48_000, events: key(60, 0, 100) + [.midi([0xB0, 123, 0], at: 5000)])
    #expect(
      host.list.suffix(3) == [
        Sent(4800, [0x90, 60, 70]), Sent(4900, [0x80, 60, 64]), Sent(5000, [0xB0, 123, 0]),
      ])
  }

  @Test func theTailIsTheLastEcho() throws {
    let host = try host(["time": 0.5, "taps": 4])
    #expect(abs(host.tailTime - 2) < 1e-6)
    _ = host.render(
      frames: 4800, events: key(60, 0, 2400) + [.parameter(host.address("taps"), 1, at: 4000)])
    // The fourth echo ends 2 s after the key.
    #expect(abs(host.tailTime - (2 + 2400.0 / 48_000 - 0.1)) < 1e-6)
  }
}
