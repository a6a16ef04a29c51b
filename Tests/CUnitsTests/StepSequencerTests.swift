import BacklineTestSupport
import CUnit
import Testing

@Suite struct StepSequencerTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/step/bkln").descriptor, parameters: parameters)
  }

  /// Pitch n for step n of the first 32, so that each step is known by its note.
  private static let numbered = Dictionary(
    uniqueKeysWithValues: (1...32).map { ("pitch.\($0)", Float($0 - 1)) })

  private func order(_ parameters: [String: Float], steps: Int) throws -> [Int] {
    let host = try host(parameters.merging(Self.numbered) { mine, _ in mine })
    host.roll(tempo: 120)
    _ = host.render(frames: 6000 * (steps - 1) + 1)
    return host.played.map { $0.note - 60 + 1 }
  }

  /// Step n lies n lengths behind the beginning, every second one later by swing / 2 of a length.
  @Test(
    arguments: [20.0, 61.7, 97.3, 120, 173.13, 300],
    [(2, 0.25, 0), (4, 1.0 / 3, 0), (2, 0.25, 67), (5, 0.5, 33)])
  func stepsLieOnTheirFrames(tempo: Double, step: (rate: Int, quarters: Double, swing: Int)) throws
  {
    for block in [1, 64, 4096] {
      let host = try host([
        "rate": Float(step.rate), "swing": Float(step.swing), "play": 1,
      ])
      host.roll(tempo: tempo, from: 1)
      let frames = block == 1 ? 30_000 : 400_000
      _ = host.render(frames: frames, blockSizes: [block])
      let quarter = 60 * 48_000 / tempo
      let times = (0..<4000).map { number in
        let late = number % 2 == 1 ? 0.005 * Double(step.swing) : 0
        return ((Double(number) + late) * step.quarters - 1) * quarter
      }.filter { $0 > -0.49 && $0 < Double(frames) - 0.51 }
      let starts = host.played.map(\.start)
      try #require(starts.count == times.count)
      let farthest = zip(starts, times).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(farthest <= 0.502, "\(farthest)")
    }
  }

  @Test func directions() throws {
    #expect(try order(["length": 5], steps: 11) == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1])
    #expect(try order(["length": 5, "direction": 1], steps: 7) == [5, 4, 3, 2, 1, 5, 4])
    #expect(try order(["length": 4, "direction": 2], steps: 9) == [1, 2, 3, 4, 3, 2, 1, 2, 3])
    #expect(try order(["length": 1, "direction": 2], steps: 3) == [1, 1, 1])
    let random = try order(["length": 8, "direction": 3], steps: 200)
    #expect(Set(random) == Set(1...8))
    #expect(try order(["length": 8, "direction": 3], steps: 200) == random)
    #expect(try order(["length": 8, "direction": 3, "seed": 2], steps: 200) != random)
  }

  @Test func aPatternBeginsSixteenStepsFurtherOn() throws {
    #expect(try order(["length": 3, "pattern": 2], steps: 5) == [17, 18, 19, 17, 18])
    #expect(try order(["length": 18, "pattern": 1], steps: 20) == Array(1...18) + [1, 2])
    // Behind the last step comes the first.
    #expect(try order(["length": 17, "pattern": 4, "pitch.49": 30], steps: 17).suffix(1) == [1])
  }

  @Test func aStepHasItsPitchVelocityAndGate() throws {
    let host = try host([
      "length": 4, "note": 48, "channel": 9, "pitch.2": 7, "pitch.3": -36, "velocity.2": 33,
      "velocity.4": 0, "gate.1": 50, "gate.2": 100, "gate.3": 1, "play": 1,
    ])
    host.roll(tempo: 120)
    _ = host.render(frames: 24_001, blockSizes: [64])
    #expect(
      host.played.map { [$0.start, $0.end ?? -1, $0.channel, $0.note, $0.velocity] } == [
        [0, 3000, 9, 48, 100], [6000, 12_000, 9, 55, 33], [12_000, 12_060, 9, 12, 100],
        [24_000, -1, 9, 48, 100],
      ])
  }

  /// One key after the other while nothing is played: into one step after the other, each heard as long as
  /// it is held.
  @Test func recordsStepByStep() throws {
    let host = try host(["record": 1, "note": 48, "length": 3, "channel": 2, "velocity.3": 0])
    let keys = [(50, 90), (48, 80), (55, 70), (60, 60)].enumerated().flatMap { turn, key in
      [
        UnitHost.Event.midi([0x90, UInt8(key.0), UInt8(key.1)], at: 1000 * turn),
        UnitHost.Event.midi([0x80, UInt8(key.0), 0], at: 1000 * turn + 500),
      ]
    }
    _ = host.render(frames: 6000, blockSizes: [64], events: keys)
    #expect(
      host.played.map { [$0.start, $0.end ?? -1, $0.channel, $0.note, $0.velocity] }
        == [(50, 90), (48, 80), (55, 70), (60, 60)].enumerated().map {
          [1000 * $0, 1000 * $0 + 500, 2, $1.0, $1.1]
        })
    // The fourth key is the first step again; keys too far from the note change nothing.
    #expect((1...3).map { host.value("pitch.\($0)") } == [12, 0, 7])
    #expect((1...3).map { host.value("velocity.\($0)") } == [60, 80, 70])
    _ = host.render(frames: 100, events: [.midi([0x90, 127, 99], at: 0)])
    #expect(host.value("pitch.2") == 0 && host.value("velocity.2") == 80)
  }

  /// While the steps run a key goes into the nearest one, which it takes the place of this time.
  @Test func recordsWhileItRuns() throws {
    let host = try host(["record": 1, "note": 60, "length": 4, "play": 1, "gate.1": 50])
    host.roll(tempo: 120)
    // Steps lie 6000 frames apart: this key is a little early for the third.
    _ = host.render(
      frames: 30_001, blockSizes: [64],
      events: [.midi([0x90, 67, 44], at: 11_500), .midi([0x80, 67, 0], at: 13_000)])
    #expect(host.played.map(\.start) == [0, 6000, 11_500, 18_000, 24_000, 30_000])
    #expect(host.value("pitch.3") == 7 && host.value("velocity.3") == 44)
    _ = host.render(frames: 7000, blockSizes: [64])
    #expect(host.played.last?.note == 67 && host.played.last?.start == 36_000)
  }

  /// A step of n notes: one every nth of it.
  @Test(arguments: 1...8) func ratchets(count: Int) throws {
    let host = try host(["length": 2, "velocity.2": 0, "ratchet.1": Float(count), "gate.1": 50])
    host.roll(tempo: 100)
    _ = host.render(frames: 14_000, blockSizes: [64])
    let part = 7200 / Double(count)
    let expected = (0..<count).map {
      [
        Int((Double($0) * part + 0.499).rounded(.down)),
        Int(((Double($0) + 0.5) * part + 0.499).rounded(.down)),
      ]
    }
    #expect(host.played.map { [$0.start, $0.end ?? -1] } == expected)
  }

  /// The number of 2000 steps that are played lies within four standard deviations.
  @Test(arguments: [0, 10, 50, 90, 100]) func probability(percent: Int) throws {
    func begun(seed: Float) throws -> [Int] {
      let host = try host(["length": 1, "probability.1": Float(percent), "seed": seed])
      host.roll(tempo: 300)
      _ = host.render(frames: 2400 * 2000, blockSizes: [4096])
      return host.played.map(\.start)
    }
    let share = Double(percent) / 100
    let starts = try begun(seed: 1)
    #expect(
      abs(Double(starts.count) - 2000 * share) <= 4 * (2000 * share * (1 - share)).squareRoot())
    #expect(try begun(seed: 1) == starts)
    if 1..<100 ~= percent { #expect(try begun(seed: 2) != starts) }
  }

  /// Without a transport the first key begins it, and the last that is held transposes it.
  @Test func playsWhileKeysAreHeld() throws {
    let host = try host(Self.numbered.merging(["length": 4, "tempo": 120, "gate.1": 100]) { $1 })
    _ = host.render(
      frames: 60_000, blockSizes: [64],
      events: key(40, 100, 30_000) + key(52, 13_000, 20_000) + key(40, 50_000, 50_100))
    #expect(host.played.map(\.start) == [100, 6100, 12_100, 18_100, 24_100, 50_000])
    #expect(host.played.map(\.note) == [40, 41, 42, 55, 40, 40])
    // The last key's note ends with it.
    #expect(host.played.last?.end == 50_100)
    #expect(open(host.sentMIDI).isEmpty)
  }

  @Test func aDrumKeepsItsNote() throws {
    let host = try host(["note": 36, "transpose": 0])
    _ = host.render(frames: 12_000, events: key(60, 0, 11_000))
    #expect(host.played.map(\.note) == [36, 36])
  }

  @Test(arguments: [(0, 4, 8), (1, 4, 4), (2, 4, 4)]) func playsWhenItIsAsked(
    play: Int, moving: Int, all: Int
  ) throws {
    // Four steps with the transport alone, four more with a key alone.
    let host = try host(["play": Float(play), "gate.1": 100, "length": 1])
    host.roll(tempo: 120) { $0 < 24_000 }
    _ = host.render(frames: 48_000, blockSizes: [480], events: key(60, 24_100, 47_000))
    let starts = host.played.map(\.start)
    #expect(starts.count == all)
    if play != 2 { #expect(starts.prefix(4) == [0, 6000, 12_000, 18_000]) }
    if play != 1 { #expect(starts.suffix(4) == [24_100, 30_100, 36_100, 42_100]) }
    #expect(open(host.sentMIDI).isEmpty)
  }

  /// What sounds ends where the transport stops or jumps.
  @Test func aJumpEndsTheStepAndGoesOnElsewhere() throws {
    let host = try host(
      Self.numbered.merging(["play": 1, "gate.3": 100, "length": 16]) { $1 })
    host.roll(tempo: 120)
    let rolling = host.music!
    host.music = { time in
      var music = rolling(time)
      if time >= 14_400 { music.0.beat_position = 0.25 + Double(time - 14_400) / 24_000 }
      if time >= 28_800 { music.1.flags = 0 }
      return music
    }
    _ = host.render(frames: 60_000, blockSizes: [480])
    #expect(
      host.played.map { [$0.start, $0.end ?? -1, $0.note - 59] } == [
        [0, 3600, 1], [6000, 9600, 2], [12_000, 14_400, 3], [14_400, 18_000, 2],
        [20_400, 26_400, 3], [26_400, 28_800, 4],
      ])
  }

  @Test func aTempoThatTurnsAndAHostThatRoundsPlayNoStepTwice() throws {
    let host = try host(["play": 1])
    // Beats in ticks of 1920, as JACK has them, faster and slower by turns.
    var (beat, last) = (0.0, Int64(0))
    host.music = { time in
      let tempo = time / 9600 % 2 == 0 ? 90.0 : 180
      beat += Double(time - last) * (last / 9600 % 2 == 0 ? 90 : 180) / (60 * 48_000)
      last = time
      var (context, transport) = (bl_musical_context(), bl_transport_state())
      context.tempo = tempo
      context.time_signature_denominator = 4
      context.beat_position = (beat * 1920).rounded(.down) / 1920
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      return (context, transport)
    }
    _ = host.render(frames: 480_000, blockSizes: [480])
    #expect(host.played.count == Int((beat * 4).rounded(.up)))
  }
}
