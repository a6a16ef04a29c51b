import BacklineTestSupport
import CUnit
import Testing

@Suite struct ArpeggiatorTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try UnitHost(BuiltInUnit("aumi/arpg/bkln").descriptor, parameters: parameters)
  }

  /// C, G and E, in this order, at once.
  private let chord: [UnitHost.Event] = [
    .on(60, 100, at: 100), .on(67, 90, at: 100), .on(64, 80, at: 100),
  ]

  private func notes(_ parameters: [String: Float], steps: Int) throws -> [Int] {
    let host = try host(parameters)
    _ = host.render(frames: 101 + 6000 * (steps - 1), events: chord)
    return host.begun.map { Int($0.bytes[1]) }
  }

  @Test func playsTheKeysInTheOrderOfItsMode() throws {
    #expect(try notes(["mode": 0], steps: 7) == [60, 64, 67, 60, 64, 67, 60])
    #expect(try notes(["mode": 1], steps: 7) == [67, 64, 60, 67, 64, 60, 67])
    #expect(try notes(["mode": 2], steps: 7) == [60, 64, 67, 64, 60, 64, 67])
    #expect(try notes(["mode": 3], steps: 7) == [60, 67, 64, 60, 67, 64, 60])
    #expect(try notes(["mode": 5], steps: 2) == [60, 67, 64, 60, 67, 64])
    #expect(try notes(["mode": 0, "octaves": 2], steps: 7) == [60, 64, 67, 72, 76, 79, 60])
    let random = try notes(["mode": 4], steps: 60)
    #expect(Set(random) == [60, 64, 67])
    #expect(try random == notes(["mode": 4], steps: 60))
  }

  /// 108 and 120 an octave up are both 120: one note, which begins and ends once.
  @Test func aChordBeginsNoNoteTwice() throws {
    let host = try host(["mode": 5, "octaves": 2])
    _ = host.render(frames: 11_000, events: [108, 120].map { .midi([0x90, $0, 100], at: 0) })
    #expect(host.begun.map { $0.bytes[1] } == [108, 120, 120])
    #expect(host.sentMIDI.filter { $0.bytes[0] == 0x80 }.map { $0.bytes[1] } == [108, 120, 120])
  }

  @Test func swingBringsEverySecondStepLate() throws {
    let host = try host(["swing": 50])
    _ = host.render(frames: 100 + 24_000, events: chord)
    #expect(host.begun.map(\.time) == [100, 7600, 12_100, 19_600])
  }

  @Test func followsTheTransport() throws {
    let host = try host(["rate": 0.5, "tempo": 33])
    host.roll(tempo: 100, from: -0.25)
    // A beat is 28800 frames; the first one begins at a quarter of it.
    _ = host.render(frames: 60_000, blockSizes: [64], events: chord)
    #expect(host.begun.map(\.time) == [7200, 21_600, 36_000, 50_400])
  }

  /// Swung steps lie in the middle between two ticks of this host.
  @Test(arguments: ["aumi/arpg/bkln", "aumi/step/bkln"])
  func aHostThatRoundsItsBeatsLosesNoStep(code: String) throws {
    let host = try UnitHost(BuiltInUnit(code).descriptor, parameters: ["swing": 66])
    host.roll(tempo: 120, ticks: 96)
    _ = host.render(frames: 471_040, blockSizes: [64], events: [.midi([0x90, 60, 100], at: 0)])
    #expect(host.begun.count == 79)
  }

  @Test func withoutSyncTheFirstKeyBeginsThePattern() throws {
    let host = try host(["rate": 0.5, "sync": 0])
    host.roll(tempo: 240, from: 0.1)
    _ = host.render(frames: 20_000, blockSizes: [64], events: chord)
    #expect(host.begun.map(\.time) == [100, 6100, 12_100, 18_100])
  }

  @Test func goesOnAtTheHostsTempoWhileTheTransportStands() throws {
    let host = try host(["rate": 0.5, "tempo": 33])
    host.roll(tempo: 240) { _ in false }
    _ = host.render(frames: 20_000, blockSizes: [64], events: chord)
    #expect(host.begun.map(\.time) == [100, 6100, 12_100, 18_100])
  }

  @Test func aStepUnderWayEndsAtTheNewTempo() throws {
    let host = try host(["rate": 1])
    let change = UnitHost.Event.parameter(host.address("tempo"), 240, at: 12_100)
    _ = host.render(frames: 32_000, blockSizes: [64], events: chord + [change])
    // Half a beat at the old tempo, half of one at the new.
    #expect(host.begun.map(\.time) == [100, 18_100, 30_100])
  }

  @Test func releasedKeysAreLeftOut() throws {
    let host = try host(["gate": 100])
    let up: [UnitHost.Event] = [.off(64, at: 200), .off(60, at: 12_200), .off(67, at: 12_200)]
    _ = host.render(frames: 40_000, events: chord + up)
    #expect(host.begun.map { $0.bytes[1] } == [60, 67, 60])
    #expect(open(host.sentMIDI).isEmpty)
    #expect(host.sentMIDI.last?.sampleTime == 18_100)
  }

  @Test func theLatchHoldsUntilTheNextChord() throws {
    let host = try host(["latch": 1])
    let rest: [UnitHost.Event] = [
      .off(60, at: 500), .off(64, at: 500), .off(67, at: 500), .on(72, 100, at: 20_000),
      .off(72, at: 20_100), .parameter(host.address("latch"), 0, at: 30_000),
    ]
    _ = host.render(frames: 48_000, events: chord + rest)
    #expect(host.begun.map { $0.bytes[1] } == [60, 64, 67, 60, 72, 72])
    #expect(host.begun.map(\.time) == [100, 6100, 12_100, 18_100, 20_000, 26_000])
    #expect(open(host.sentMIDI).isEmpty)
  }

  /// The last key goes up in the frame behind the step with the longest note.
  @Test(arguments: [
    ["rate": 0.25, "gate": 60], ["rate": 1, "gate": 100, "tempo": 60],
    ["rate": 0.5, "gate": 100, "swing": 100], ["rate": 4, "gate": 1, "tempo": 20],
  ])
  func theTailLastsAsLongAsTheLongestNote(parameters: [String: Float]) throws {
    let host = try host(parameters)
    let claimed = host.tailTime
    _ = host.render(frames: 700_000, events: [.on(60, 100, at: 100), .off(60, at: 101)])
    let end = try #require(host.sentMIDI.last { $0.bytes[0] == 0x80 }).sampleTime
    #expect(abs(Double(end - 100) / 48_000 - claimed) < 2.0 / 48_000)
    #expect(abs(host.tailTime - claimed) < 1e-9)
  }

  @Test func theTailFollowsTheHostsTempoAndTheLatchHasNoEnd() throws {
    let host = try host(["rate": 1, "gate": 100])
    #expect(abs(host.tailTime - 0.5) < 1e-9)
    host.roll(tempo: 30) { _ in false }
    _ = host.render(frames: 512, events: chord)
    #expect(abs(host.tailTime - 2) < 1e-4)
    // The note that sounds has begun with the longer step.
    _ = host.render(frames: 512, events: [.parameter(host.address("rate"), 0.1, at: 0)])
    #expect(abs(host.tailTime - (2 - (1024 - 100) / 48_000)) < 1e-4)
    _ = host.render(frames: 512, events: [.parameter(host.address("latch"), 1, at: 0)])
    #expect(host.tailTime == .infinity)
  }

  @Test func allNotesOffMeansThePatternToo() throws {
    let host = try host()
    _ = host.render(frames: 30_000, events: chord + [.midi([0xB0, 123, 0], at: 200)])
    #expect(host.begun.count == 1)
    #expect(host.sentMIDI.map(\.bytes).suffix(2) == [[0x80, 60, 64], [0xB0, 123, 0]])
  }

  @Test func goesOnWhereTheHostGoesBackInTime() throws {
    final class Listener { var begun: [Int64] = [] }
    let host = try host()
    let listener = Listener()
    var events = bl_event()
    events.type = BL_EVENT_MIDI
    events.midi = bl_midi_event(cable: 0, length: 3, bytes: (0x90, 60, 100))
    events.sample_time = 1_000_000_000
    // A step is 6000 frames.
    let times: [Int64] = [1_000_000_000] + (0..<24).map { 512 * $0 }
    for time in times {
      var timestamp = bl_timestamp(sample_time: time)
      var output = bl_buffers(channel_count: 0, channels: nil)
      var renderHost = bl_render_host()
      renderHost.context = Unmanaged.passUnretained(listener).toOpaque()
      renderHost.send_midi = { context, time, _, _, bytes in
        if let context, let bytes, bytes[0] == 0x90 {
          Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().begun.append(time)
        }
        return bl_status(BL_OK)
      }
      let status = withUnsafePointer(to: &events) { events in
        host.descriptor.pointee.render(
          host.unit, 0, &timestamp, 512, 0, &output, time == times[0] ? events : nil, &renderHost)
      }
      #expect(status == bl_status(BL_OK))
    }
    #expect(listener.begun.first == times[0])
    #expect(listener.begun.filter { $0 < 12_288 } == [0, 6000, 12_000])
  }
}
