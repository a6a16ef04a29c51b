import BacklineTestSupport
import Foundation
import Testing

@Suite struct MIDILFOTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/lfcc/bkln").descriptor, parameters: parameters)
  }

  /// The values on the grid of 64 frames, where they differ from the one before.
  private func expected(
    frames: Int, status: UInt8, number: UInt8, _ value: (Double) -> Double
  ) -> [Sent] {
    var (list, last): ([Sent], UInt8?) = ([], nil)
    for frame in stride(from: 0, to: frames, by: 64) {
      let sent = UInt8((127 * min(max(value(Double(frame) / 48_000), 0), 1)).rounded())
      if sent != last { list.append(Sent(frame, [status, number, sent])) }
      last = sent
    }
    return list
  }

  @Test(arguments: [1, 64, 4096]) func aSineIsAControllersValues(block: Int) throws {
    let host = try host([
      "rate": 1.7, "controller": 74, "channel": 4, "depth": 60, "centre": 40,
    ])
    _ = host.render(frames: 30_000, blockSizes: [block])
    let model = expected(frames: 30_000, status: 0xB4, number: 74) {
      0.4 + 0.3 * sin(2 * .pi * 1.7 * $0)
    }
    #expect(firstDifference(host.list, model) == nil)
    #expect(model.count > 60)
  }

  @Test func whatLiesBeyondTheEndsStaysThere() throws {
    let host = try host(["rate": 2, "shape": 1, "centre": 90])
    _ = host.render(frames: 48_000)
    let model = expected(frames: 48_000, status: 0xB0, number: 1) { seconds in
      let phase = 2 * seconds - (2 * seconds).rounded(.down)
      let triangle = phase < 0.25 ? 4 * phase : phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4
      return 0.9 + 0.5 * triangle
    }
    #expect(firstDifference(host.list, model) == nil)
  }

  /// Upper seven bits first, and only where they change.
  @Test func fourteenBitsAreTwoControllers() throws {
    let host = try host(["rate": 0.5, "controller": 7, "resolution": 1])
    _ = host.render(frames: 96_000, blockSizes: [64])
    var upper: UInt8?
    for message in host.list {
      #expect(message.bytes[0] == 0xB0 && message.time % 64 == 0)
      if message.bytes[1] == 7 {
        #expect(message.bytes[2] != upper)
        upper = message.bytes[2]
      } else {
        #expect(message.bytes[1] == 39 && upper != nil)
      }
    }
    #expect(host.list.count > 1400)
  }

  /// A quarter at 150 beats a minute, from wherever the transport is.
  @Test func followsTheBeat() throws {
    let host = try host(["sync": 11, "shape": 4])
    host.roll(tempo: 150, from: 7.25)
    _ = host.render(frames: 60_000, blockSizes: [64])
    // A square: down half a quarter after each beat, up on it. A beat is 19200 frames.
    let turns = [0, 4800, 14_400, 24_000, 33_600, 43_200, 52_800]
    #expect(host.list.map(\.time) == turns)
    #expect(host.list.map { $0.bytes[2] } == [127, 0, 127, 0, 127, 0, 127])
  }

  @Test func anotherControllerGetsTheValueAtOnce() throws {
    let host = try host(["shape": 4, "rate": 0.1])
    _ = host.render(
      frames: 1000,
      events: [
        .parameter(host.address("controller"), 5, at: 100),
        .parameter(host.address("channel"), 15, at: 300),
      ])
    #expect(
      host.list == [
        Sent(0, [0xB0, 1, 127]), Sent(128, [0xB0, 5, 127]), Sent(320, [0xBF, 5, 127]),
      ])
  }

  @Test func aPedalDoesNotStayDown() throws {
    let host = try host(["shape": 4, "rate": 0.1, "controller": 64, "channel": 2])
    _ = host.render(frames: 150, events: [.parameter(host.address("controller"), 1, at: 100)])
    #expect(
      host.list == [
        Sent(0, [0xB2, 64, 127]), Sent(100, [0xB2, 64, 0]), Sent(128, [0xB2, 1, 127]),
      ])
  }
}
