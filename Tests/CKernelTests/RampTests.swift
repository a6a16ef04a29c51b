import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Testing

/// A ramp of any length stays between its first and its last value.
struct RampTests {
  /// The lane lasts for days: after 4096 frames the parameter has hardly left 0.
  @Test(arguments: [Double(1 << 31), Double(1 << 32) + 9])
  func aPieceLongerThanARampGoesOn(length: Double) throws {
    let host = KernelHost()
    let lane = host.addLane([bl_lane_piece(start: 0, end: length, from: 0, to: 1)])
    host.add(TestUnit.scale.descriptor)
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], automation: lane,
        targets: [bl_lane_target(node: 0, address: 0)]))
    host.music = (bl_musical_context(), bl_transport_state())
    host.music?.0.tempo = 120
    host.music?.1.flags = UInt32(BL_TRANSPORT_MOVING)
    let output = host.render([Signals.constant(1, frames: 4096)], frames: 4096, cycles: [4096])[0]
    #expect(output.allSatisfy { (-1e-6...1e-5).contains($0) })
    // The first ramp covers BL_LONGEST_RAMP frames of the lane.
    let goal = bl_test_event(host.units[0], bl_test_event_count(host.units[0]) - 1).parameter
    #expect(goal.ramp_duration == UInt32(BL_LONGEST_RAMP))
    #expect(abs(Double(goal.value) - Double(BL_LONGEST_RAMP) / length) < 1e-6)
  }

  /// A longer ramp is cut to BL_LONGEST_RAMP frames.
  @Test func aRampOfAnyLengthStaysInItsRange() {
    let longest = UInt32(BL_LONGEST_RAMP)
    for duration in [longest, longest + 1, UInt32.max] {
      var ramp = bl_ramp()
      bl_ramp_start_line(&ramp, 1, duration)
      for frame in [0, 1, 1 << 20, longest - 1, longest, .max] {
        let share = min(Float(frame) / Float(longest), 1)
        #expect(abs(bl_ramp_value(&ramp, frame) - share) < 1e-6, "\(duration), frame \(frame)")
      }
    }
  }

  @Test func anEventsRampIsBounded() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor, parameters: [(0, 0)])
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    host.schedule(0, value: 1, ramp: Int(UInt32.max), at: 0)
    let output = host.render([Signals.constant(1, frames: 4096)], frames: 4096)[0]
    #expect(output.allSatisfy { (-1e-6...1e-5).contains($0) })
    #expect(bl_test_event(host.units[0], 0).parameter.ramp_duration == UInt32(BL_LONGEST_RAMP))
  }
}
