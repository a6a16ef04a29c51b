import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// Parameter changes and MIDI arrive at their frame, in order; lost events are reported.
struct EventTests {
  private func oneUnit(eventCapacity: Int = 0) throws -> KernelHost {
    let host = KernelHost(eventCapacity: eventCapacity)
    host.add(TestUnit.scale.descriptor)
    let midi = [KernelHost.midi(nil, 0)]
    host.play(
      try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], midi: midi))
    return host
  }

  private let ones = [Float](repeating: 1, count: 4096)

  @Test(arguments: [[1], [17], [64], [480], [1024], [4096], [5, 700, 64]])
  func aChangeHappensAtItsFrame(cycles: [Int]) throws {
    let host = try oneUnit()
    host.schedule(0, value: 3, at: 1000)
    host.schedule(0, value: 2, at: 333)
    host.schedule(0, value: -1, at: 1001)
    let output = host.render([ones], frames: 4096, cycles: cycles)[0]
    for frame in ones.indices {
      let expected: Float = frame < 333 ? 1 : frame < 1000 ? 2 : frame < 1001 ? 3 : -1
      #expect(output[frame] == expected, "frame \(frame)")
    }
  }

  @Test(arguments: [[1], [17], [480], [4096]])
  func aRampGoesStraight(cycles: [Int]) throws {
    let host = try oneUnit()
    host.schedule(0, value: 5, ramp: 800, at: 100)
    let output = host.render([ones], frames: 2048, cycles: cycles)[0]
    for frame in 0..<2048 {
      let expected = 1 + 4 * min(max(Float(frame - 100) / 800, 0), 1)
      #expect(abs(output[frame] - expected) < 1e-5, "frame \(frame)")
    }
  }

  @Test func whatComesLateIsPlayedAtOnceInTheOrderSent() throws {
    let host = try oneUnit()
    _ = host.render([ones], frames: 1000)
    host.schedule(0, value: 7, at: 1002)
    host.schedule(0, value: 3, at: 20)
    host.schedule(0, value: 4, at: 10)
    let output = host.render([ones], frames: 64)[0]
    #expect(Array(output[0..<4]) == [4, 4, 7, 7])
    #expect(bl_test_event(host.units[0], 0).parameter.value == 3)
    #expect(bl_test_event(host.units[0], 0).sample_time == 1000)
  }

  @Test func aChangeAndALateEventTakeEffectInTheOrderSent() throws {
    let host = try oneUnit()
    _ = host.render([ones], frames: 1000)
    func change(to value: Float) {
      host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
        $0.parameter = bl_parameter_event(
          address: 0, value: value, ramp_duration: 0, is_line: false)
      }
    }
    change(to: 2)
    host.schedule(0, value: 5, at: 10)
    #expect(host.render([ones], frames: 1024)[0].last == 5)
    host.schedule(0, value: 5, at: 10)
    change(to: 2)
    #expect(host.render([ones], frames: 1024)[0].last == 2)
  }

  /// With a deadline, a cycle delivers 16 events per frame; without one, all that are due.
  @Test(arguments: [false, true]) func manyAtOnceArePlayedInOrder(hasDeadline: Bool) throws {
    let host = try oneUnit()
    host.hasDeadline = hasDeadline
    for number in 0..<3000 { host.schedule(0, value: Float(number) / 1000, at: 2000) }
    for _ in 0..<2 { _ = host.render([ones], frames: 992, cycles: [62]) }
    host.schedule(0, value: 9, at: 2010)
    for cycle in 1...4 {
      _ = host.render([ones], frames: 64, cycles: [64])
      let due = hasDeadline ? min(cycle * 1024, 3001) : 3001
      #expect(bl_test_event_count(host.units[0]) == UInt32(due))
    }
    let values = (0..<3001).map { bl_test_event(host.units[0], $0).parameter.value }
    #expect(values == (0..<3000).map { Float($0) / 1000 } + [9])
    let delayed = host.reports.filter { $0.type == BL_REPORT_EVENTS_DELAYED }.map(\.events)
    #expect(delayed.reduce(0, +) == (hasDeadline ? 3001 - 1024 : 0))
  }

  @Test func aHundredThousandMayBePending() throws {
    let host = try oneUnit(eventCapacity: 100_000)
    // Mix far and near times, so that the schedule has to sort.
    let times = (0..<100_000).map { Int64($0 * 7919 % 100_000) * 10 + 5000 }
    for (number, time) in times.enumerated() {
      host.schedule(0, value: 1, at: time)
      if number % 1000 == 999 { host.receiveCommands() }
    }
    for second in 0..<3 {
      let seen = bl_test_event_count(host.units[0])
      _ = host.render([[Float](repeating: 1, count: 48_000)], frames: 48_000, cycles: [480])
      let due = times.count { $0 < (second + 1) * 48_000 } - times.count { $0 < second * 48_000 }
      #expect(bl_test_event_count(host.units[0]) - seen == UInt32(due))
    }
    let count = bl_test_event_count(host.units[0])
    let arrived = (0..<count).map { bl_test_event(host.units[0], $0).sample_time }
    let isInOrder = arrived == Array(times.sorted().prefix(Int(count)))
    #expect(isInOrder)
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
  }

  @Test func aUnitThatNothingPullsTakesParameters() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    let unit = host.units[0]
    let idle = [KernelHost.cable(nil, nil), KernelHost.cable(nil, 0)]
    host.play(try host.lower(idle))
    host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
      $0.parameter = bl_parameter_event(address: 0, value: 40, ramp_duration: 0, is_line: false)
    }
    host.schedule(0, value: 3, at: 500)
    _ = host.render([ones], frames: 64)
    #expect(TestUnit.scale.descriptor.pointee.parameter_value(unit, 0) == 10)
    _ = host.render([ones], frames: 1000)
    #expect(TestUnit.scale.descriptor.pointee.parameter_value(unit, 0) == 3)
    #expect(bl_test_render_count(unit) == 0 && host.count(BL_REPORT_EVENTS_LOST) == 0)
    // A unit that was bypassed while it was not heard passes its input from the first frame on.
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = true }
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    #expect(host.render([ones], frames: 64)[0].allSatisfy { $0 == 1 })
  }

  @Test func nothingIsHalfwayBetweenChoices() throws {
    let host = try oneUnit()
    let fault = TestUnit.scale.descriptor.pointee.parameters[1]
    #expect(fault.unit == BL_UNIT_BOOLEAN)
    for (value, rounded) in [(0.4, 0), (0.6, 1), (7, 1)] as [(Float, Float)] {
      host.schedule(0, parameter: 1, value: value, ramp: 100, at: 0)
      host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
        $0.parameter = bl_parameter_event(
          address: 1, value: value, ramp_duration: 0, is_line: false)
      }
      let before = bl_test_event_count(host.units[0])
      _ = host.render([ones], frames: 64)
      for index in before..<before + 2 {
        let event = bl_test_event(host.units[0], index)
        #expect(event.type == BL_EVENT_PARAMETER && event.parameter.value == rounded)
      }
    }
  }

  /// A system exclusive event cannot be scheduled, because nothing would own its bytes meanwhile.
  @Test func systemExclusiveIsNotScheduled() throws {
    let host = try oneUnit()
    let bytes: [UInt8] = [0xf0, 1, 2, 0xf7]
    bytes.withUnsafeBufferPointer { bytes in
      host.send(BL_COMMAND_SCHEDULE, to: 0) {
        $0.event.type = BL_EVENT_SYSTEM_EXCLUSIVE
        $0.event.system_exclusive = bl_system_exclusive_event(
          cable: 0, length: 4, data: bytes.baseAddress)
      }
      host.receiveCommands()
    }
    host.send(BL_COMMAND_SCHEDULE, to: 0) {
      $0.event.type = BL_EVENT_MIDI
      $0.event.midi = bl_midi_event(cable: 0, length: 3, bytes: (0x90, 60, 100))
    }
    _ = host.render([ones], frames: 64)
    #expect(bl_test_event_count(host.units[0]) == 1)
    #expect(bl_test_event(host.units[0], 0).type == BL_EVENT_MIDI)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events)
    #expect(lost.reduce(0, +) == 1)
  }

  @Test func aUnitOfTwoOutputsIsHandedItsEventsOnce() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor, outputs: [1, 1])
    let cables = [
      KernelHost.cable(nil, 0), KernelHost.cable(0, nil, from: 0, to: 0),
      KernelHost.cable(0, nil, from: 1, to: 1),
    ]
    for first in [0, 1] {
      host.play(try host.lower(first == 0 ? cables : [cables[0], cables[2]], outputs: [1, 1]))
      let before = (bl_test_event_count(host.units[0]), bl_test_render_count(host.units[0]))
      host.schedule(0, value: 2, at: 0)
      _ = host.render([ones], frames: 64, cycles: [64])
      #expect(bl_test_event_count(host.units[0]) == before.0 + 1)
      #expect(bl_test_render_count(host.units[0]) == before.1 + (first == 0 ? 2 : 1))
    }
  }

  @Test func eventsOfOneTimeKeepTheirOrder() throws {
    let host = try oneUnit()
    for number in 0..<1000 { host.schedule(0, value: Float(number) / 100, at: 50) }
    _ = host.render([ones], frames: 64)
    #expect(bl_test_event_count(host.units[0]) == 1000)
    for number in 0..<1000 {
      #expect(bl_test_event(host.units[0], UInt32(number)).parameter.value == Float(number) / 100)
    }
  }

  @Test func thousandsMayBePendingAndTheRestIsReported() throws {
    let host = try oneUnit(eventCapacity: 5000)
    _ = host.render([ones], frames: 1)
    for number in 0..<6000 {
      // Schedule later events first, so that the schedule has to sort.
      host.schedule(0, value: 1, at: Int64(20_000 - number))
      if number % 1000 == 999 { _ = host.render([ones], frames: 1) }
    }
    for _ in 0..<6 { _ = host.render([ones], frames: 4096, cycles: [1024]) }
    #expect(bl_test_event_count(host.units[0]) == 5000)
    var last: Int64 = 0
    for index in 0..<5000 {
      let time = bl_test_event(host.units[0], UInt32(index)).sample_time
      #expect(time > last)
      last = time
    }
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost == 1000)
  }

  /// Values set by the control side are due at once and have room of their own.
  @Test func valuesThatAreSetFindRoomWhereTheScheduleIsFull() throws {
    let host = try oneUnit(eventCapacity: 100)
    host.hasDeadline = true
    for number in 0..<100 { host.schedule(0, value: 9, at: Int64(1 << 40 + number)) }
    _ = host.render([ones], frames: 64)
    for number in 1...2000 {
      host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
        $0.parameter = bl_parameter_event(
          address: 0, value: Float(number) / 1000, ramp_duration: 0, is_line: false)
      }
    }
    _ = host.render([ones], frames: 500, cycles: [1])
    #expect(bl_test_event_count(host.units[0]) == 2000)
    let output = host.render([ones], frames: 640)[0]
    #expect(output.last == 2)
    host.schedule(0, value: 1, at: 0)
    _ = host.render([ones], frames: 64)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events)
    #expect(lost == [1])
  }

  @Test func valuesAreHeldToTheParametersRangeAndNonsenseIsCounted() throws {
    let host = try oneUnit()
    host.schedule(0, value: 1e9, at: 0)
    host.schedule(0, value: -.infinity, at: 10)
    host.schedule(0, value: .nan, at: 20)
    host.schedule(0, parameter: 99, value: 1, at: 30)
    host.schedule(0, parameter: 3 << 32, value: 1, at: 30)
    let output = host.render([ones], frames: 64)[0]
    #expect(output[0] == 10 && output[9] == 10 && output[10] == -10 && output[63] == -10)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost == 3)
  }

  @Test func aChangeFromTheControlSideIsRamped() throws {
    let host = try oneUnit()
    _ = host.render([ones], frames: 100)
    host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
      $0.parameter = bl_parameter_event(address: 0, value: 2, ramp_duration: 0, is_line: false)
    }
    let output = host.render([ones], frames: 1024)[0]
    #expect(output[0] == 1 && output[1023] == 2)
    let steps = zip(output, output.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 >= 0 && $0 < 0.01 })
    // "fault" cannot ramp, and changes at once.
    host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
      $0.parameter = bl_parameter_event(address: 1, value: 1, ramp_duration: 0, is_line: false)
    }
    _ = host.render([ones], frames: 1)
    #expect(host.count(BL_REPORT_NON_FINITE) == 1)
  }

  @Test func aRampLastsAsLongAtAnotherRate() throws {
    let host = try oneUnit()
    _ = host.render([ones], frames: 100)
    host.send(BL_COMMAND_SET_SAMPLE_RATE, to: 0) { $0.sample_rate = 192_000 }
    host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
      $0.parameter = bl_parameter_event(address: 0, value: 2, ramp_duration: 0, is_line: false)
    }
    let output = host.render([ones], frames: 4096)[0]
    // 20 ms are 960 frames at 48 kHz and 3840 at 192 kHz.
    #expect(abs(output[1920] - 1.5) < 0.01 && output[4095] == 2)
  }

  @Test(arguments: [[1], [64], [333], [4096]])
  func midiArrivesAtItsFrame(cycles: [Int]) throws {
    let host = try oneUnit()
    let messages: [KernelHost.Message] = [
      .init([0x90, 60, 100], at: 7), .init([0xc3, 5], at: 7), .init([0x80, 60, 0], at: 1500),
      .init([0xf8], at: 3000), .init([0xf0, 1, 2, 3, 4, 0xf7], at: 3001),
    ]
    _ = host.render([ones], frames: 4096, cycles: cycles, midi: messages)
    let unit = host.units[0]
    #expect(bl_test_event_count(unit) == 5)
    let events = (0..<5).map { bl_test_event(unit, $0) }
    #expect(events.map(\.sample_time) == [7, 7, 1500, 3000, 3001])
    #expect(events[0].midi.bytes.0 == 0x90 && events[0].midi.length == 3)
    #expect(events[1].midi.bytes.1 == 5 && events[1].midi.length == 2)
    #expect(events[4].type == BL_EVENT_SYSTEM_EXCLUSIVE && events[4].system_exclusive.length == 6)
  }

  @Test func garbageIsNoMessage() throws {
    let host = try oneUnit()
    let garbage: [[UInt8]] = [
      [], [60, 100], [0x90], [0x90, 60], [0x90, 60, 200], [0x90, 60, 100, 1], [0xf4], [0xf0, 1],
      [0xf7], [0xff, 1],
    ]
    _ = host.render(
      [ones], frames: 64,
      midi: garbage.enumerated().map { .init($0.element, at: $0.offset) })
    #expect(bl_test_event_count(host.units[0]) == 0)
    _ = host.render([ones], frames: 64, midi: [.init([0x90, 60, 100], at: 0, port: 1)])
    #expect(bl_test_event_count(host.units[0]) == 0)
  }

  @Test func aFloodIsBoundedAndCounted() throws {
    let host = try oneUnit(eventCapacity: 1000)
    let flood = (0..<1500).map { KernelHost.Message([0x90, UInt8($0 % 128), 1], at: $0 % 64) }
      .sorted { _, _ in false }
    _ = host.render([ones], frames: 64, midi: flood)
    #expect(bl_test_event_count(host.units[0]) == 1000)
    _ = host.render([ones], frames: 64)
    let lost = host.reports.filter { $0.type == BL_REPORT_EVENTS_LOST }.map(\.events).reduce(0, +)
    #expect(lost == 500)
  }

  @Test func aRetiredUnitsEventsGoWithIt() throws {
    let host = try oneUnit()
    host.schedule(0, value: 5, at: 100)
    _ = host.render([ones], frames: 10)
    host.play(try host.lower([KernelHost.cable(nil, nil)], unitCount: 0))
    _ = host.render([ones], frames: 10)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    #expect(host.render([ones], frames: 200)[0].allSatisfy { $0 == 1 })
  }
}
