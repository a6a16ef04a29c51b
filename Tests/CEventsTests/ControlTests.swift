import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Testing

/// MIDI controls parameters, bypasses and scenes of a graph.
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

  /// A program change that calls a song does not trigger other controls and reaches no unit.
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

  /// The number of reports is limited; their counts add up to all presses, including the last.
  @Test func aFloodOfPressesIsReportedInBoundsAndCounted() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    let tap = control(BL_CONTROL_PROGRAM, 3, BL_CONTROL_REQUEST)
    host.play(
      try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], controls: [tap]))
    // The shortest interval at which presses do not count as bounces.
    let presses = (0..<100).map { KernelHost.Message([0xC0, 3], at: 1440 * $0) }
    _ = host.render([Signals.constant(1, frames: 144_000)], frames: 144_000, midi: presses)
    let reports = host.reports.filter { $0.type == BL_REPORT_CONTROL }.map(\.control)
    #expect((40...62).contains(reports.count))
    #expect(reports.map(\.count).reduce(0, +) == 100)
    let last: Int64 = 1440 * 99
    #expect(reports.last?.sample_time == last)
  }

  /// The messages of a switch, pedal, key or knob, with their times in milliseconds, and the number
  /// of presses that they mean.
  struct Pressing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var source: bl_control_source
    var latches = false
    var messages: [(at: Int, bytes: [UInt8])]
    var presses: Int

    init(
      _ description: String, _ source: bl_control_source = BL_CONTROL_CONTROLLER,
      latches: Bool = false, _ messages: [(Int, [UInt8])], presses: Int
    ) {
      (testDescription, self.source, self.latches) = (description, source, latches)
      (self.messages, self.presses) = (messages, presses)
    }

    /// Creates a series of values of controller 80.
    init(_ description: String, latches: Bool = false, _ values: [(Int, UInt8)], presses: Int) {
      let messages = values.map { ($0.0, [0xB0, 80, $0.1] as [UInt8]) }
      self.init(description, latches: latches, messages, presses: presses)
    }
  }

  @Test(arguments: [
    Pressing("momentary", [(0, 127), (90, 0), (400, 127), (480, 0)], presses: 2),
    Pressing("press-only", [(0, 127), (400, 127), (500, 127)], presses: 3),
    Pressing("press-only, at the middle", [(0, 64), (400, 64)], presses: 2),
    Pressing("below the middle", [(0, 63), (400, 63), (500, 0), (600, 0)], presses: 0),
    Pressing("latching, as a momentary one", [(0, 127), (400, 0), (500, 127)], presses: 2),
    Pressing(
      "latching", latches: true, [(0, 127), (400, 0), (500, 127), (600, 0)], presses: 4),
    Pressing(
      "worn", [(0, 127), (4, 0), (8, 127), (200, 0), (203, 127), (206, 0), (300, 127)], presses: 2),
    Pressing("worn, press-only", [(0, 127), (3, 127), (20, 127), (200, 127)], presses: 2),
    Pressing(
      "a knob",
      [(0, 40), (50, 63), (60, 66), (70, 90), (300, 127), (400, 70), (500, 60), (600, 65)],
      presses: 2),
    Pressing(
      "a wheel", BL_CONTROL_PITCH_BEND,
      [(0, [0xE0, 0, 64]), (100, [0xE0, 127, 127]), (200, [0xE0, 127, 127])], presses: 1),
    Pressing(
      "pressure", BL_CONTROL_PRESSURE, [(0, [0xD0, 90]), (100, [0xD0, 90]), (200, [0xD0, 90])],
      presses: 1),
    Pressing(
      "keys", BL_CONTROL_NOTE,
      [
        (0, [0x90, 80, 5]), (50, [0x80, 80, 0]), (100, [0x90, 80, 100]), (200, [0x90, 80, 100]),
      ],
      presses: 3),
    Pressing(
      "a worn key", BL_CONTROL_NOTE,
      [(0, [0x90, 80, 5]), (100, [0x90, 80, 0]), (104, [0x90, 80, 9])], presses: 1),
    Pressing(
      "programs", BL_CONTROL_PROGRAM, [(0, [0xC0, 80]), (5, [0xC0, 80]), (100, [0xC0, 80])],
      presses: 2),
    Pressing(
      "fourteen bits, press-only", BL_CONTROL_NRPN,
      (0..<3).flatMap { press in
        [[99, 0], [98, 80], [6, 127], [38, 127]].map { (400 * press, [0xB0] + $0) }
      }, presses: 3),
  ])
  func eachPressCountsOnce(pressing: Pressing) throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    var button = control(pressing.source, 80, BL_CONTROL_REQUEST)
    button.latches = pressing.latches
    host.play(
      try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], controls: [button]))
    let messages = pressing.messages.map { KernelHost.Message($0.bytes, at: 48 * $0.at) }
    _ = host.render([Signals.constant(1, frames: 48_000)], frames: 48_000, midi: messages)
    let reports = host.reports.filter { $0.type == BL_REPORT_CONTROL }.map(\.control)
    #expect(reports.map { Int($0.count) }.reduce(0, +) == pressing.presses)
  }

  /// A pedal toggles the bypass between two changes of it by a lane, within one block of 1024.
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
    // The fade rises from the lane's change at 100 to the pedal's at 400, 300 of its 961 frames,
    // and falls from there.
    let passed: Float = 300.0 / 961
    #expect(output[100] == 0 && abs(output[400] - passed * passed * (3 - 2 * passed)) < 1e-5)
    #expect(output[700...].allSatisfy { $0 < 1e-6 })
  }
}
