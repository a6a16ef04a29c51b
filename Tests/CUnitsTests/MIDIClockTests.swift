import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct MIDIClockTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/clok/bkln").descriptor, parameters: parameters)
  }

  private func ticks(_ host: UnitHost) -> [Int] {
    host.list.filter { $0.bytes == [0xF8] }.map(\.time)
  }

  /// The frame nearest to a multiple of a distance; a middle counts as the frame before it.
  private func multiples(of distance: Double, from start: Double = 0, below end: Int) -> [Int] {
    (0...).lazy.map { Int((start + Double($0) * distance + 0.499).rounded(.down)) }
      .prefix { $0 < end }.map { $0 }
  }

  @Test(arguments: [20.0, 97.3, 120, 133.7, 300], [1, 64, 4096])
  func ticksLieOnTheirFrames(tempo: Double, block: Int) throws {
    let host = try host()
    host.roll(tempo: tempo)
    let frames = block == 1 ? 20_000 : 200_000
    _ = host.render(frames: frames, blockSizes: [block])
    let distance = 60 * 48_000 / (24 * tempo)
    let ticks = ticks(host)
    // The first waits until the other machine is ready.
    #expect(ticks == [48] + multiples(of: distance, below: frames).dropFirst())
    #expect(host.list.first == Sent(0, [0xFA]))
    #expect(host.list.count == ticks.count + 1)
  }

  @Test(arguments: [(0, 0.25), (1, 1.0 / 3), (2, 0.5), (4, 2.0), (5, 3.0), (6, 4.0)])
  func theRatioMakesItFaster(place: Int, ratio: Double) throws {
    let host = try host(["ratio": Float(place)])
    host.roll(tempo: 125)
    _ = host.render(frames: 100_000, blockSizes: [64])
    #expect(ticks(host) == [48] + multiples(of: 960 / ratio, below: 100_000).dropFirst())
  }

  /// MIDI 1.0 Detailed Specification: from “start” or “continue” 1 ms passes without a tick before
  /// the tick with which the other machine begins. That tick lies on its beat, unless the transport
  /// starts less than 1 ms before the song's beginning.
  @Test(
    arguments: [44_100.0, 48_000, 192_000],
    [-1, -1.0 / 48_000, 0, 0.0001, 1.0 / 24, 0.2499, 0.25, 0.6, 7])
  func thereIsTimeToGetReady(rate: Double, beat: Double) throws {
    for block in [1, 64, 4096] {
      let host = try UnitHost(BuiltInUnit("aumi/clok/bkln").descriptor, sampleRate: rate)
      let perFrame = 300 / (60 * rate)
      host.roll(tempo: 300, from: beat)
      _ = host.render(frames: Int(1.2 / perFrame), blockSizes: [block])
      let list = host.list
      let told = try #require(list.firstIndex { $0.bytes == [0xFA] || $0.bytes == [0xFB] })
      let tick = try #require(list[(told + 1)...].first)
      #expect(tick.bytes == [0xF8])
      let notice = Int((0.001 * rate).rounded(.up))
      #expect(tick.time - list[told].time == notice)
      let position = list.first { $0.bytes[0] == 0xF2 }.map { Double($0.bytes[1]) / 4 } ?? 0
      #expect(list[told].bytes == [position == 0 ? 0xFA : 0xFB])
      let exact = (position - beat) / perFrame
      #expect(abs(Double(max(tick.time, notice)) - max(exact, Double(notice))) <= 0.502)
      #expect(position - max(beat, 0) < 0.25 + 2 * Double(notice) * perFrame)
      #expect(list.indices.dropFirst().allSatisfy { list[$0].time >= list[$0 - 1].time })
    }
  }

  /// 125 beats a minute: a sixteenth is 5760 frames. Starts in the middle of one, stops, goes on.
  @Test func startsStopsAndContinues() throws {
    let host = try host()
    host.roll(tempo: 125, from: 2.6) { 20_480..<40_960 ~= $0 || $0 >= 61_440 }
    _ = host.render(frames: 90_000, blockSizes: [4096])
    let messages = host.list.filter { $0.bytes != [0xF8] }
    func sixteenth(behind time: Int) -> Int {
      Int(((2.6 * 23_040 + Double(time)) / 5760).rounded(.up))
    }
    func frame(of sixteenth: Int) -> Int {
      Int((Double(sixteenth) * 5760 - 2.6 * 23_040).rounded())
    }
    let (first, second) = (sixteenth(behind: 20_480), sixteenth(behind: 61_440))
    #expect(
      messages == [
        Sent(20_480, [0xF2, UInt8(first), 0]), Sent(frame(of: first) - 48, [0xFB]),
        Sent(40_960, [0xFC]), Sent(61_440, [0xF2, UInt8(second), 0]),
        Sent(frame(of: second) - 48, [0xFB]),
      ])
    // The tick behind "continue" is that of the position.
    for time in [frame(of: first), frame(of: second)] {
      let place = try #require(host.list.firstIndex(of: Sent(time - 48, [0xFB])))
      #expect(host.list[place + 1] == Sent(time, [0xF8]))
    }
  }

  @Test func aCountInStartsAtTheBeginning() throws {
    let host = try host()
    host.roll(tempo: 125, from: -1)
    _ = host.render(frames: 30_000)
    #expect(host.list.filter { $0.bytes != [0xF8] } == [Sent(23_040 - 48, [0xFA])])
    #expect(ticks(host) == multiples(of: 960, below: 30_000))
  }

  @Test func aJumpStopsAndContinues() throws {
    let host = try host()
    host.roll(tempo: 125)
    let rolling = host.music!
    host.music = { time in
      var music = rolling(time)
      if time >= 20_480 { music.0.beat_position += 100 }
      return music
    }
    _ = host.render(frames: 40_000, blockSizes: [4096])
    // Frame 20480 is sixteenth 3.56, and 400 further on; the next one is 404 = 3 · 128 + 20.
    #expect(
      host.list.filter { $0.bytes != [0xF8] } == [
        Sent(0, [0xFA]), Sent(20_480, [0xFC]), Sent(20_480, [0xF2, 20, 3]),
        Sent(23_040 - 48, [0xFB]),
      ])
    #expect(ticks(host) == [48] + multiples(of: 960, below: 40_000).dropFirst())
  }

  /// A cycle begins further on than the last one would have led: no tick between them is lost.
  @Test func aHostThatRoundsItsBeatsLosesNoTick() throws {
    let host = try UnitHost(BuiltInUnit("aumi/clok/bkln").descriptor, sampleRate: 44_100)
    host.roll(tempo: 133.7, ticks: 1920)
    _ = host.render(frames: 4_400_000, blockSizes: [1000])
    #expect(ticks(host).count == 5336)
  }

  /// The frame nearest to a tick is another at another tempo.
  @Test func aTempoThatChangesWithEachCycleLosesNoTick() throws {
    let host = try host(["ratio": 6])
    let tempos = (0..<75_000).map { 60 + 180 * abs(sin(Double($0) * 12.9898)) }
    var beats = [0.0]
    for tempo in tempos { beats.append(beats.last! + 64 * tempo / (60 * 48_000)) }
    let places = beats
    host.music = { time in
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = tempos[Int(time) / 64]
      context.beat_position = places[Int(time) / 64]
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      return (context, transport)
    }
    _ = host.render(frames: 64 * tempos.count, blockSizes: [64])
    #expect(ticks(host).count == Int(places.last! * 96) + 1)
  }

  @Test func withoutAHostsTempoItsOwnCounts() throws {
    let host = try host(["tempo": 125])
    let faster = UnitHost.Event.parameter(host.address("tempo"), 250, at: 9600)
    _ = host.render(frames: 19_200, blockSizes: [64], events: [faster])
    #expect(ticks(host) == (0..<10).map { 960 * $0 } + (0..<20).map { 9600 + 480 * $0 })
    #expect(host.list.allSatisfy { $0.bytes == [0xF8] })
  }

  @Test(arguments: [(2, 2), (1, 3), (0, 4)]) func anInputIsDivided(place: Int, divisor: Int) throws
  {
    let host = try host(["source": 1, "ratio": Float(place)])
    let events: [UnitHost.Event] =
      [.midi([0xFA], at: 5)] + (0..<48).map { .midi([0xF8], at: 10 + 37 * $0) }
      + [.midi([0xF2, 96, 0], at: 1900), .midi([0xFC], at: 1950)]
    _ = host.render(frames: 2000, blockSizes: [64], events: events)
    #expect(ticks(host) == stride(from: 0, to: 48, by: divisor).map { 10 + 37 * $0 })
    #expect(
      host.list.filter { $0.bytes != [0xF8] } == [
        Sent(5, [0xFA]), Sent(1900, [0xF2, UInt8(96 / divisor), 0]), Sent(1950, [0xFC]),
      ])
  }

  /// Ticks are multiplied at the distance of the last two; the first has none before it.
  @Test(arguments: [(4, 2), (5, 3), (6, 4)]) func anInputIsMultiplied(place: Int, factor: Int)
    throws
  {
    let host = try host(["source": 1, "ratio": Float(place)])
    let events: [UnitHost.Event] =
      [.midi([0xFA], at: 5)] + (0..<10).map { .midi([0xF8], at: 120 + 1200 * $0) }
    _ = host.render(frames: 13_000, blockSizes: [64], events: events)
    let first = [120] + [Int](repeating: 1320, count: factor - 1)
    let rest = (0..<9 * factor).map { 1320 + 1200 / factor * $0 }
    #expect(ticks(host) == first + rest)
  }

  @Test func aClockThatComesInIsNotMixedWithTheTransports() throws {
    let host = try host(["tempo": 125])
    let clock: [[UInt8]] = [[0xFA], [0xF8], [0xFC], [0xF2, 1, 1], [0xFB]]
    _ = host.render(
      frames: 900, events: clock.enumerated().map { .midi($0.element, at: 50 * $0.offset) })
    #expect(host.list == [Sent(0, [0xF8])])
  }
}
