import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Testing

/// MIDI that moves what a graph has.
struct ControlTests {
  private func control(_ source: bl_control_source, _ number: Int, _ mode: bl_control_mode)
    -> bl_control
  {
    var control = bl_control()
    (control.source, control.number, control.mode) = (source, UInt32(number), mode)
    control.channels = .max
    (control.bank_coarse, control.bank_fine) = (UInt8(BL_ANY_BANK), UInt8(BL_ANY_BANK))
    control.to = 1
    return control
  }

  /// A program that calls for a song moves nothing, and no unit gets it.
  @Test func aCallIsNothingElse() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor, parameters: [(0, 0.5)])
    var bypass = control(BL_CONTROL_PROGRAM, 3, BL_CONTROL_ABSOLUTE)
    bypass.address = UInt64.max
    let scene = control(BL_CONTROL_PROGRAM, 3, BL_CONTROL_RECALL)
    var call = control(BL_CONTROL_PROGRAM, 3, BL_CONTROL_CALL)
    call.channels = 1 << 4
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], midi: [KernelHost.midi(nil, 0)],
        controls: [bypass, call, scene], scenes: [bl_scene()]))
    func play(_ message: [UInt8]) -> (level: Float?, controls: [UInt32], events: Int) {
      let before = host.reports.count
      let output = host.render(
        [Signals.constant(1, frames: 1024)], frames: 1024, cycles: [1024],
        midi: [.init(message, at: 10)])
      let controls = host.reports[before...].filter { $0.type == BL_REPORT_CONTROL }
      return (
        output[0].last, controls.map(\.control.control), Int(bl_test_event_count(host.units[0]))
      )
    }
    #expect(play([0xC4, 3]) == (0.5, [1], 0))
    #expect(play([0xC5, 3]) == (1, [2], 1))
  }

  /// However often it is pressed, and the last press is reported too.
  @Test func aFloodOfPressesIsReportedInBoundsAndCounted() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    let tap = control(BL_CONTROL_PROGRAM, 3, BL_CONTROL_REQUEST)
    host.play(
      try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], controls: [tap]))
    let presses = (0..<4800).map { KernelHost.Message([0xC0, 3], at: $0) }
    _ = host.render([Signals.constant(1, frames: 9600)], frames: 9600, midi: presses)
    let reports = host.reports.filter { $0.type == BL_REPORT_CONTROL }.map(\.control)
    #expect((2...4).contains(reports.count))
    #expect(reports.map(\.count).reduce(0, +) == 4800)
    #expect(reports.last?.sample_time == 4799)
  }

  /// A pedal's toggle between two switches of a lane, all within one block.
  @Test(arguments: [64, 1024]) func aToggleGoesByWhatIsHeardAtItsFrame(block: Int) throws {
    let pieces = [(100.0, Float(1)), (900, 0)].map {
      bl_lane_piece(start: $0, end: $0, from: 1 - $1, to: $1)
    }
    let host = KernelHost()
    let lane = host.addLane(pieces)
    host.add(TestUnit.scale.descriptor, parameters: [(0, 0)])
    var toggle = control(BL_CONTROL_CONTROLLER, 64, BL_CONTROL_TOGGLE)
    toggle.address = UInt64.max
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], automation: lane,
        targets: [bl_lane_target(node: 0, address: UInt64.max)], controls: [toggle]))
    var output: [Float] = []
    for start in stride(from: 0, to: 2048, by: block) {
      var context = bl_musical_context()
      context.tempo = 120
      var transport = bl_transport_state()
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      transport.sample_position = Int64(start)
      host.music = (context, transport)
      let pressed = (start..<start + block).contains(400)
      output +=
        host.render(
          [Signals.constant(1, frames: block)], frames: block, cycles: [block],
          midi: pressed ? [.init([0xB0, 64, 127], at: 400 - start)] : [])[0]
    }
    // Up from the lane's switch to the pedal's, 300 of the fade's 961 frames, and down again.
    let passed: Float = 300.0 / 961
    #expect(output[100] == 0 && abs(output[400] - passed * passed * (3 - 2 * passed)) < 1e-5)
    #expect(output[700...].allSatisfy { $0 < 1e-6 })
  }
}
