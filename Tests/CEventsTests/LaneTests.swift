import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Testing

/// Automation lanes move parameters and bypasses.
@Suite struct LaneTests {
  /// The lane has 3000 points within 30 frames, more than a cycle has room for.
  @Test func aCycleHasItsFillOfPointsAndEndsAtTheLast() throws {
    let pieces = (0..<3000).map { index in
      let time = 10 + Double(index) / 100
      let value = index == 2999 ? 0.25 : Float(index % 7)
      return bl_lane_piece(start: time, end: time, from: value, to: value)
    }
    let host = KernelHost()
    let lane = host.addLane(pieces)
    host.hasDeadline = true
    host.add(TestUnit.scale.descriptor)
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], automation: lane,
        targets: [bl_lane_target(node: 0, address: 0)]))
    var output: [Float] = []
    for cycle in 0..<20 {
      var context = bl_musical_context()
      context.tempo = 120
      var transport = bl_transport_state()
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      transport.sample_position = Int64(cycle * 64)
      host.music = (context, transport)
      output += host.render([Signals.constant(1, frames: 64)], frames: 64)[0]
    }
    // The ramp to the last value takes 20 ms.
    #expect(output[1024...].allSatisfy { $0 == 0.25 })
    #expect(output[0] == 0)
    #expect(host.count(BL_REPORT_EVENTS_LOST) + host.count(BL_REPORT_EVENTS_DELAYED) == 0)
  }

  /// The next graph's lane moves the same parameter of another bus, as after an edit of the rack
  /// file.
  @Test func aLaneOfAnotherParameterOfTheUnitBegins() throws {
    let pieces = [bl_lane_piece(start: 0, end: 0, from: -20, to: -20)]
    let host = KernelHost()
    let lane = host.addLane(pieces)
    host.add(BuiltInUnit("aumx/mixr/bkln").descriptor, inputs: [1, 1])
    host.music = (bl_musical_context(), bl_transport_state())
    host.music?.0.tempo = 120
    for bus in 0...1 {
      host.play(
        try host.lower(
          [KernelHost.cable(nil, 0), KernelHost.cable(nil, 0, to: 1), KernelHost.cable(0, nil)],
          automation: lane, targets: [bl_lane_target(node: 0, address: UInt64(bus) << 32)]))
      _ = host.render([Signals.constant(1, frames: 64)], frames: 64)
      #expect(bl_node_value(host.nodes[0], UInt64(bus) << 32) == -20)
    }
  }

  /// A bypass ends the notes held at its frame, including notes of its own cycle, after all earlier
  /// events.
  @Test(arguments: [[1], [64], [100, 7], [1024]])
  func aBypassEndsNotesInOrderOfTime(cycles: [Int]) throws {
    let host = KernelHost()
    let lane = host.addLane([
      bl_lane_piece(start: 0, end: 0, from: 0, to: 0),
      bl_lane_piece(start: 500, end: 500, from: 1, to: 1),
    ])
    host.add(TestUnit.scale.descriptor)
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], midi: [KernelHost.midi(nil, 0)],
        automation: lane, targets: [bl_lane_target(node: 0, address: .max)]))
    for (time, value) in [(480, 2), (500, 3)] {
      host.schedule(0, value: Float(value), at: Int64(time))
    }
    let notes = [(450, 60), (500, 62), (510, 64)].map { frame, note in
      KernelHost.Message([0x90, UInt8(note), 100], at: frame)
    }
    var done = 0
    for cycle in cycles.cycled(to: 1024) {
      var context = bl_musical_context()
      context.tempo = 120
      var transport = bl_transport_state()
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      transport.sample_position = Int64(done)
      host.music = (context, transport)
      _ = host.render(
        [Signals.constant(1, frames: cycle)], frames: cycle, cycles: [cycle],
        midi: notes.filter { (done..<done + cycle).contains($0.frame) }.map {
          .init($0.bytes, at: $0.frame - done)
        })
      done += cycle
    }
    let events = (0..<bl_test_event_count(host.units[0])).map { index in
      let event = bl_test_event(host.units[0], index)
      return event.type == BL_EVENT_MIDI
        ? "\(event.sample_time) \(event.midi.bytes.0) \(event.midi.bytes.1)"
        : "\(event.sample_time) = \(event.parameter.value)"
    }
    #expect(
      events == [
        "450 144 60", "480 = 2.0", "500 = 3.0", "500 128 60", "500 144 62", "510 144 64",
      ])
  }
}

extension [Int] {
  /// Returns the elements repeated until their sum is `sum`; the last is cut.
  fileprivate func cycled(to sum: Int) -> [Int] {
    var lengths: [Int] = []
    var left = sum
    while left > 0 {
      lengths.append(Swift.min(self[lengths.count % count], left))
      left -= lengths[lengths.count - 1]
    }
    return lengths
  }
}
