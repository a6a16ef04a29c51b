import BacklineTestSupport
import CKernel
import CUnit
import Testing

/// Lanes that are followed while there is no time to lose.
@Suite struct LaneTests {
  /// Three thousand points within 30 frames: more than a cycle has room for.
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
    // The last is reached in 20 ms.
    #expect(output[1024...].allSatisfy { $0 == 0.25 })
    #expect(output[0] == 0)
    #expect(host.count(BL_REPORT_EVENTS_LOST) + host.count(BL_REPORT_EVENTS_DELAYED) == 0)
  }

  /// As when a file with a lane of another bus is saved.
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
}
