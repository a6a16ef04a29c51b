import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// MIDI passes from unit to unit and out of the rack in the cycle in which it was sent, at its
/// frame, and no note hangs.
struct MIDICableTests {
  private let transposer = BuiltInUnit("aumi/trns/bkln").descriptor
  private let arpeggiator = BuiltInUnit("aumi/arpg/bkln").descriptor

  /// Plays the rack's MIDI input through a transposer (an octave up) into a unit that records its
  /// events and into a MIDI output.
  private func chain(eventCapacity: Int = 0) throws -> KernelHost {
    let host = KernelHost(eventCapacity: eventCapacity)
    host.add(transposer, inputs: [], outputs: [], parameters: [(0, 12)])
    host.add(TestUnit.scale.descriptor)
    host.play(try lower(host))
    return host
  }

  private let audio = [KernelHost.cable(nil, 1), KernelHost.cable(1, nil)]
  private let midi = [
    KernelHost.midi(nil, 0), KernelHost.midi(0, 1), KernelHost.midi(0, nil),
  ]

  private func lower(_ host: KernelHost, _ cables: [bl_midi_cable]? = nil) throws -> OpaquePointer {
    try host.lower(audio, midi: cables ?? midi, midiOutputs: 1)
  }

  private let ones = [Float](repeating: 1, count: 4096)

  private func received(_ host: KernelHost, _ unit: Int) -> [KernelHost.Message] {
    (0..<bl_test_event_count(host.units[unit])).map { index in
      let event = bl_test_event(host.units[unit], index)
      let bytes = [event.midi.bytes.0, event.midi.bytes.1, event.midi.bytes.2]
      return .init(bytes, at: Int(event.sample_time), port: Int(event.midi.cable))
    }
  }

  @Test(arguments: [[1], [17], [64], [480], [4096], [5, 700, 64]])
  func arrivesInTheSameCycleAtItsFrame(cycles: [Int]) throws {
    let host = try chain()
    let played = (0..<60).flatMap { note in
      [
        KernelHost.Message([0x90, UInt8(note), 100], at: 7 + 61 * note),
        KernelHost.Message([0x80, UInt8(note), 10], at: 50 + 61 * note),
      ]
    }
    _ = host.render([ones], frames: 4096, cycles: cycles, midi: played)
    let expected = played.map { message in
      KernelHost.Message(
        [message.bytes[0], message.bytes[1] + 12, message.bytes[2]], at: message.frame)
    }
    #expect(received(host, 1) == expected)
    #expect(host.midiOutput == expected)
  }

  /// One sender's note end does not end the note that another sender starts at the same frame.
  @Test func anEndGoesBeforeWhatBeginsAtItsFrame() throws {
    let host = KernelHost()
    for _ in 0..<2 { host.add(transposer, inputs: [], outputs: []) }
    let unit = host.add(TestUnit.scale.descriptor)
    host.play(
      try host.lower(
        [KernelHost.cable(nil, unit), KernelHost.cable(unit, nil)],
        midi: (0..<2).flatMap { port in
          [KernelHost.midi(nil, port, from: port), KernelHost.midi(port, unit)]
        }, midiInputs: 2))
    _ = host.render(
      [ones], frames: 4096, cycles: [1024],
      midi: [
        .init([0x90, 60, 100], at: 10, port: 1), .init([0x90, 60, 90], at: 100, port: 0),
        .init([0x80, 60, 64], at: 100, port: 1),
      ])
    #expect(
      received(host, unit).map(\.bytes) == [[0x90, 60, 100], [0x80, 60, 64], [0x90, 60, 90]])
  }

  @Test func systemExclusiveIsCarriedWhole() throws {
    let host = try chain()
    let long: [UInt8] = [0xF0] + (0..<1000).map { UInt8($0 % 128) } + [0xF7]
    _ = host.render([ones], frames: 64, midi: [.init(long, at: 5)])
    #expect(host.midiOutput == [.init(long, at: 5)])
    let flood = (0..<300).map { _ in KernelHost.Message(long, at: 64) }
    _ = host.render([ones], frames: 4096, cycles: [1024], midi: flood)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost > 0 && host.midiOutput.count + Int(lost) == 301)
  }

  @Test func sourcesAreMergedInOrderOfTime() throws {
    let host = KernelHost()
    host.add(transposer, inputs: [], outputs: [], parameters: [(0, 12)])
    host.add(transposer, inputs: [], outputs: [], parameters: [(0, -12)])
    host.add(TestUnit.scale.descriptor)
    let audio = [KernelHost.cable(nil, 2), KernelHost.cable(2, nil)]
    host.play(
      try host.lower(
        audio,
        midi: [
          KernelHost.midi(nil, 0), KernelHost.midi(nil, 1, from: 1), KernelHost.midi(0, 2),
          KernelHost.midi(1, 2, to: 3), KernelHost.midi(nil, 2, from: 2),
        ]))
    host.schedule(2, value: 3, at: 100)
    var messages = (0..<40).map {
      KernelHost.Message([0x90, UInt8(60 + $0), 1], at: 10 * $0, port: 0)
    }
    messages += (0..<40).map { KernelHost.Message([0x90, 60, 2], at: 7 * $0, port: 1) }
    messages += (0..<40).map { KernelHost.Message([0x90, 61, 3], at: 3 * $0, port: 2) }
    let sorted = messages.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
    _ = host.render([ones], frames: 512, cycles: [512], midi: sorted)
    let events = (0..<bl_test_event_count(host.units[2])).map { bl_test_event(host.units[2], $0) }
    // A note that starts again is ended first.
    #expect(events.count == 160)
    let times = events.map(\.sample_time)
    #expect(times == times.sorted())
    let lower = events.filter {
      $0.type == BL_EVENT_MIDI && $0.midi.cable == 3 && $0.midi.bytes.0 == 0x90
    }
    #expect(lower.map(\.midi.bytes.1) == Array(repeating: 48, count: 40))
  }

  @Test func aLoopOfMIDICablesIsRefused() throws {
    let host = KernelHost()
    host.add(transposer, inputs: [], outputs: [])
    host.add(transposer, inputs: [], outputs: [])
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower(
        [], midi: [KernelHost.midi(0, 1), KernelHost.midi(1, 0), KernelHost.midi(1, nil)],
        midiOutputs: 1)
    }
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower([], midi: [KernelHost.midi(0, 1), KernelHost.midi(0, 1)])
    }
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower([], midi: [KernelHost.midi(0, nil, to: 1)], midiOutputs: 1)
    }
  }

  @Test func aCableThatIsCutEndsItsNotes() throws {
    let host = try chain()
    let down: [KernelHost.Message] = [
      .init([0x90, 60, 100], at: 1), .init([0x93, 64, 100], at: 2), .init([0x90, 67, 100], at: 3),
      .init([0x80, 67, 0], at: 4), .init([0xB3, 64, 127], at: 5),
    ]
    _ = host.render([ones], frames: 64, midi: down)
    #expect(host.midiOutput.count == 5)
    host.midiOutput = []
    // Remove the cable to the unit, and keep the one to the output.
    host.play(try lower(host, [KernelHost.midi(nil, 0), KernelHost.midi(0, nil)]))
    _ = host.render([ones], frames: 64)
    #expect(host.midiOutput.isEmpty)
    #expect(
      received(host, 1).suffix(3) == [
        .init([0x80, 72, 64], at: 64), .init([0x83, 76, 64], at: 64), .init([0xB3, 64, 0], at: 64),
      ])
    host.play(try lower(host, []))
    _ = host.render([ones], frames: 64)
    #expect(
      host.midiOutput.map(\.bytes) == [[0x80, 72, 64], [0x83, 76, 64], [0xB3, 64, 0]])
  }

  @Test func aBypassedProcessorLetsMIDIPastAndEndsItsNotes() throws {
    let host = try chain()
    _ = host.render([ones], frames: 64, midi: [.init([0x90, 60, 100], at: 1)])
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = true }
    host.midiOutput = []
    _ = host.render(
      [ones], frames: 64, midi: [.init([0x80, 60, 0], at: 3), .init([0x90, 50, 9], at: 4)])
    #expect(
      host.midiOutput.map(\.bytes) == [
        // The ends of the transposer's note, and of its input's note, which now passes unchanged.
        [0x80, 72, 64], [0x80, 60, 64], [0x80, 60, 0], [0x90, 50, 9],
      ])
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = false }
    host.midiOutput = []
    _ = host.render([ones], frames: 64, midi: [.init([0x80, 50, 0], at: 9)])
    // Key 50 passed the bypassed transposer, which also ends it an octave above.
    #expect(host.midiOutput.map(\.bytes) == [[0x80, 50, 64], [0x80, 62, 0]])
  }

  /// Messages pass the processor unchanged from the frame of the bypass on, in cycles of any
  /// length.
  @Test(arguments: [[1], [16], [64], [256], [1024], [100, 7]])
  func midiGoesPastABypassedProcessorFromItsFrame(cycles: [Int]) throws {
    let host = KernelHost()
    host.add(transposer, inputs: [], outputs: [], parameters: [(0, 12)])
    host.add(TestUnit.scale.descriptor)
    var pedal = bl_control()
    (pedal.port, pedal.source, pedal.number, pedal.channels, pedal.to) = (
      1, BL_CONTROL_CONTROLLER, 80, .max, 1
    )
    pedal.address = UInt64.max
    host.play(
      try host.lower(audio, midi: midi, midiInputs: 2, midiOutputs: 1, controls: [pedal]))
    _ = host.render(
      [ones], frames: 1024, cycles: cycles,
      midi: [
        .init([0x90, 60, 100], at: 10), .init([0x80, 60, 0], at: 20),
        .init([0x90, 62, 100], at: 30), .init([0xB0, 80, 127], at: 100, port: 1),
        .init([0x80, 62, 0], at: 110), .init([0x90, 50, 9], at: 120),
        .init([0xB0, 80, 0], at: 200, port: 1), .init([0x80, 50, 0], at: 210),
        .init([0x90, 40, 1], at: 220),
      ])
    let expected: [KernelHost.Message] = [
      .init([0x90, 72, 100], at: 10), .init([0x80, 72, 0], at: 20),
      .init([0x90, 74, 100], at: 30),
      // The ends of the transposer's note, and of its input's note, which now passes unchanged.
      .init([0x80, 74, 64], at: 100), .init([0x80, 62, 64], at: 100),
      .init([0x80, 62, 0], at: 110), .init([0x90, 50, 9], at: 120),
      // The end of the note that passed unchanged, and the transposer's own end an octave above.
      .init([0x80, 50, 64], at: 200), .init([0x80, 62, 0], at: 210),
      .init([0x90, 52, 1], at: 220),
    ]
    #expect(host.midiOutput == expected)
    #expect(received(host, 1) == expected)
  }

  @Test func aBypassedInstrumentsNotesEndAtTheFrameOfTheBypass() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    var pedal = bl_control()
    (pedal.source, pedal.number, pedal.channels, pedal.to) = (
      BL_CONTROL_CONTROLLER, 80, .max, 1
    )
    pedal.address = UInt64.max
    host.play(
      try host.lower(audioOfOne, midi: [KernelHost.midi(nil, 0)], controls: [pedal]))
    _ = host.render([ones], frames: 64, midi: [.init([0x92, 60, 100], at: 1)])
    _ = host.render([ones], frames: 64, midi: [.init([0xB0, 80, 127], at: 33)])
    #expect(
      received(host, 0).dropFirst() == [
        .init([0xB0, 80, 127], at: 97), .init([0x82, 60, 64], at: 97),
      ])
  }

  private let audioOfOne = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]

  @Test func theNotesOfOneInputEndWhereItsCableIsCut() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.play(
      try host.lower(
        audioOfOne, midi: [KernelHost.midi(nil, 0), KernelHost.midi(nil, 0, from: 1)],
        midiInputs: 2))
    _ = host.render(
      [ones], frames: 64,
      midi: [.init([0x90, 60, 100], at: 1), .init([0x90, 62, 100], at: 2, port: 1)])
    bl_kernel_end_notes(host.kernel, 1)
    _ = host.render([ones], frames: 64)
    #expect(received(host, 0).dropFirst(2) == [.init([0x80, 62, 64], at: 64)])
  }

  @Test func panicEndsWhatIsHeldAndWhatIsNotKnownOf() throws {
    let host = try chain()
    _ = host.render([ones], frames: 64, midi: [.init([0x90, 60, 100], at: 1)])
    host.midiOutput = []
    host.send(BL_COMMAND_PANIC, to: 0) { _ in }
    _ = host.render([ones], frames: 64)
    let sent = host.midiOutput.map(\.bytes)
    #expect(sent.first == [0x80, 72, 64])
    for channel in UInt8(0)..<16 {
      #expect(sent.contains([0xB0 + channel, 123, 0]) && sent.contains([0xB0 + channel, 120, 0]))
    }
    let ends = received(host, 1).map(\.bytes)
    #expect(ends.contains([0x80, 72, 64]) && ends.contains([0xBF, 123, 0]))
  }

  @Test func aCableCanBeLimitedToAChannelAndToKeys() throws {
    let host = KernelHost()
    for _ in 0..<3 { host.add(TestUnit.scale.descriptor) }
    let split = [
      KernelHost.midi(nil, 0, notes: 0...59), KernelHost.midi(nil, 1, notes: 60...127),
      KernelHost.midi(nil, 2, channels: 1 << 1, notes: 60...60),
    ]
    let audio: [bl_cable] = (0..<3).flatMap {
      [KernelHost.cable(nil, $0), KernelHost.cable($0, nil)] as [bl_cable]
    }
    host.play(try host.lower(audio, midi: split))
    let messages: [KernelHost.Message] = [
      .init([0x90, 59, 100], at: 0), .init([0x91, 60, 100], at: 1), .init([0x90, 60, 99], at: 2),
      .init([0xB0, 7, 1], at: 3), .init([0xD1, 9], at: 4), .init([0xF8], at: 5),
      .init([0x80, 59, 0], at: 6),
    ]
    _ = host.render([ones], frames: 64, midi: messages)
    func frames(_ unit: Int) -> [Int] { received(host, unit).map(\.frame) }
    #expect(frames(0) == [0, 3, 4, 5, 6])
    #expect(frames(1) == [1, 2, 3, 4, 5])
    #expect(frames(2) == [1, 4, 5])
    // A cable with other limits replaces this one, so its notes end.
    host.play(try host.lower(audio, midi: [KernelHost.midi(nil, 1, notes: 61...127)]))
    _ = host.render([ones], frames: 64)
    #expect(Set(received(host, 1).dropFirst(5).map(\.bytes)) == [[0x81, 60, 64], [0x80, 60, 64]])
  }

  @Test func whatComesInIsCountedForEachInput() throws {
    let host = try chain()
    for cycle in 0..<40 {
      _ = host.render(
        [ones], frames: 64, midi: cycle < 5 ? [.init([0xB0, 1, UInt8(cycle)], at: 3)] : [])
    }
    let inputs = host.telemetry.compactMap(\.midiInputs.first).filter { $0.count > 0 }
    #expect(inputs.map(\.count).reduce(0, +) == 5)
    #expect(inputs.last?.last.bytes.2 == 4)
  }

  @Test func aRemovedProcessorEndsTheNotesItBegan() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.add(arpeggiator, inputs: [], outputs: [], parameters: [(3, 100)])
    let audio = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]
    host.play(try host.lower(audio, midi: [KernelHost.midi(nil, 1), KernelHost.midi(1, 0)]))
    _ = host.render([ones], frames: 100, midi: [.init([0x90, 60, 100], at: 20)])
    #expect(received(host, 0) == [.init([0x90, 60, 100], at: 20)])
    host.play(try host.lower(audio, midi: [KernelHost.midi(nil, 0)]))
    _ = host.render([ones], frames: 100)
    #expect(received(host, 0).last == .init([0x80, 60, 64], at: 100))
  }

  @Test func aFloodIsBoundedAndItsLostEndsAreMadeUpFor() throws {
    let host = try chain(eventCapacity: 150)
    let flood = (0..<100).map { KernelHost.Message([0x90, UInt8($0), 100], at: 0) }
    _ = host.render([ones], frames: 64, midi: flood)
    let begun = host.midiOutput.map { $0.bytes[1] }
    host.midiOutput = []
    let ends = (0..<100).map { KernelHost.Message([0x80, UInt8($0), 0], at: 0) }
    _ = host.render([ones], frames: 256, cycles: [64], midi: ends)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost > 0 && !begun.isEmpty)
    #expect(Set(begun).subtracting(host.midiOutput.map { $0.bytes[1] }).isEmpty)
    #expect(host.midiOutput.allSatisfy { $0.bytes[0] == 0x80 })
  }

  /// With a deadline, messages beyond a cycle's limit are lost and counted; notes whose ends were
  /// lost end in the next cycle.
  @Test func aFloodWithADeadlineIsCutAndNoNoteHangs() throws {
    let host = try chain()
    host.hasDeadline = true
    func all(_ status: UInt8, at frame: Int) -> [KernelHost.Message] {
      (0..<100).map { KernelHost.Message([status, UInt8($0), 100], at: frame) }
    }
    let flood = (0..<4000).map { KernelHost.Message([0xB0, 3, UInt8($0 % 128)], at: 10) }
    _ = host.render([ones], frames: 64, midi: all(0x90, at: 0) + flood + all(0x80, at: 20))
    #expect(host.midiOutput.count { $0.bytes[0] == 0x90 } == 100)
    #expect(host.midiOutput.count == 64 * 16)
    host.midiOutput = []
    _ = host.render([ones], frames: 64)
    #expect(Set(host.midiOutput.map { $0.bytes[1] }).count == 100)
    #expect(host.midiOutput.allSatisfy { $0.bytes[0] == 0x80 })
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost == 4200 - 64 * 16)
  }

  @Test func anOutputWithoutRoomIsCounted() throws {
    let host = try chain()
    host.midiOutputRoom = 3
    _ = host.render(
      [ones], frames: 64, midi: (0..<10).map { .init([0x90, UInt8($0), 1], at: $0) })
    _ = host.render([ones], frames: 64)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost == 7)
  }

  /// A note end that has no room in a MIDI output is sent again in the next cycle.
  @Test func theEndOfANoteThatFindsNoRoomOutsideIsSentAgain() throws {
    let host = try chain()
    let begins = (0..<10).map { KernelHost.Message([0x90, UInt8($0), 1], at: $0) }
    let pedal = KernelHost.Message([0xB0, 64, 127], at: 20)
    _ = host.render([ones], frames: 64, midi: begins + [pedal])
    host.midiOutput = []
    host.midiOutputRoom = 3
    let ends = (0..<9).map { KernelHost.Message([0x80, UInt8($0), 0], at: $0) }
    _ = host.render(
      [ones], frames: 320, cycles: [64],
      midi: ends + [KernelHost.Message([0xB0, 64, 0], at: 20)])
    #expect(host.midiOutput.count { $0.frame < 64 } == 3)
    // Each of the nine notes ends once; the tenth key is still down.
    let notes = host.midiOutput.filter { $0.bytes[0] == 0x80 }.map { Int($0.bytes[1]) - 12 }
    #expect(notes.sorted() == Array(0..<9))
    #expect(host.midiOutput.filter { $0.bytes[0] == 0xB0 }.map(\.bytes) == [[0xB0, 64, 0]])
  }

  /// Keys may be released while no graph plays, so held notes end when a graph plays again.
  @Test(arguments: [false, true]) func nothingHangsBehindAKernelWithoutAGraph(
    isCut: Bool
  ) throws {
    let host = try chain()
    _ = host.render(
      [ones], frames: 64,
      midi: [
        .init([0x90, 60, 100], at: 0), .init([0xB0, 64, 127], at: 1),
        .init([0xB0, 66, 127], at: 2),
      ])
    host.midiOutput = []
    let before = received(host, 1).count
    host.playNothing()
    host.receiveCommands()
    host.receiveReports()
    #expect(host.count(BL_REPORT_GRAPH_RETIRED) == 1)
    host.play(try lower(host, isCut ? [] : nil))
    _ = host.render([ones], frames: 64)
    let expected: [[UInt8]] = [[0x80, 72, 64], [0xB0, 64, 0], [0xB0, 66, 0]]
    // The transposer, if it is still connected, ends its notes as well, so ends may come twice.
    for heard in [host.midiOutput, Array(received(host, 1).dropFirst(before))] {
      #expect(Array(heard.map(\.bytes).prefix(3)) == expected)
      #expect(Set(heard.map(\.bytes)) == Set(expected))
    }
    // No note is left, except in a transposer that was not connected: it ends its notes only now.
    host.midiOutput = []
    host.playNothing()
    host.receiveCommands()
    host.play(try lower(host))
    _ = host.render([ones], frames: 64)
    #expect(host.midiOutput.map(\.bytes) == (isCut ? expected : []))
  }

  @Test func soundWaitsForMIDIThatComesLate() throws {
    let host = KernelHost()
    host.add(TestUnit.latent.descriptor)
    host.add(TestUnit.provider.descriptor, inputs: [])
    // Unit 1 plays the MIDI of a unit with latency, so its output has the same latency.
    let graph = try host.lower(
      [KernelHost.cable(nil, 0), KernelHost.cable(1, nil)], midi: [KernelHost.midi(0, 1)])
    #expect(bl_graph_latency(graph, 0) == UInt32(BL_TEST_LATENCY))
    bl_graph_destroy(graph)
    let sent = try host.lower(
      [KernelHost.cable(nil, 0)], midi: [KernelHost.midi(0, nil)], midiOutputs: 1)
    #expect(bl_graph_midi_latency(sent, 0) == UInt32(BL_TEST_LATENCY))
    bl_graph_destroy(sent)
  }

  @Test func aSenderIsRenderedThoughNobodyHearsIt() throws {
    let host = KernelHost()
    host.add(transposer, inputs: [], outputs: [], parameters: [(0, 1)])
    host.add(transposer, inputs: [], outputs: [], parameters: [(0, 2)])
    host.play(
      try host.lower(
        [], midi: [KernelHost.midi(nil, 0), KernelHost.midi(0, 1), KernelHost.midi(1, nil)],
        midiOutputs: 1))
    _ = host.render([ones], frames: 64, midi: [.init([0x90, 60, 100], at: 33)])
    #expect(host.midiOutput == [.init([0x90, 63, 100], at: 33)])
  }
}
