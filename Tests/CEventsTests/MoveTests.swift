import BacklineTestSupport
import CKernel
import CUnit
import Testing

/// Moves of parameters are reported for recording.
struct MoveTests {
  private func host(_ unit: String) throws -> KernelHost {
    let host = KernelHost()
    host.add(BuiltInUnit(unit).descriptor)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    host.send(BL_COMMAND_REPORT_MOVES, to: 0) { $0.reports_moves = true }
    roll(host, 0..<2)
    return host
  }

  /// Plays cycles of 64 frames with the transport rolling; cycle 0 starts at frame 9600.
  private func roll(_ host: KernelHost, _ cycles: Range<Int>) {
    var context = bl_musical_context()
    context.tempo = 120
    for cycle in cycles {
      var transport = bl_transport_state()
      transport.flags = UInt32(BL_TRANSPORT_MOVING)
      transport.sample_position = Int64(9600 + cycle * 64)
      host.music = (context, transport)
      _ = host.render([Signals.constant(1, frames: 64)], frames: 64)
    }
  }

  private func moves(_ host: KernelHost) -> [bl_move_report] {
    host.reports.filter { $0.type == BL_REPORT_MOVE }.map(\.move)
  }

  /// A parameter that can only switch is reported without a ramp, with its rounded value.
  @Test(arguments: [("aufx/ring/bkln", BL_UNIT_INDEXED), ("aufx/dely/bkln", BL_UNIT_BOOLEAN)])
  func aSwitchIsOneAtItsFrame(unit: String, kind: bl_parameter_unit) throws {
    let host = try host(unit)
    let index = try #require(BuiltInUnit(unit).parameters.firstIndex { $0.unit == kind })
    host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
      $0.parameter = bl_parameter_event(
        address: UInt64(index), value: 0.9, ramp_duration: 0, is_line: false)
    }
    host.schedule(0, parameter: index, value: 0.1, ramp: 480, at: 128 + 10)
    roll(host, 2..<4)
    let moves = moves(host)
    #expect(moves.map(\.change.value) == [1, 0] && moves.map(\.change.ramp_duration) == [0, 0])
    #expect(moves.map(\.frame) == [9728, 9738])
  }

  /// A scheduled change, such as that of an OSC bundle with a time tag, is reported at its time,
  /// after the earlier move of a knob.
  @Test func whatIsScheduledAheadIsToldWhenItIsDue() throws {
    let host = try host("aufx/gain/bkln")
    host.schedule(0, value: -6, ramp: 100, at: 1000)
    roll(host, 2..<4)
    #expect(moves(host).isEmpty)
    host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
      $0.parameter = bl_parameter_event(address: 0, value: -12, ramp_duration: 0, is_line: false)
    }
    roll(host, 4..<20)
    let moves = moves(host)
    #expect(moves.map(\.change.value) == [-12, -6] && moves.map(\.frame) == [9856, 10_600])
    #expect(moves.map(\.before) == [0, -12] && moves.map(\.change.ramp_duration) == [961, 100])
  }
}
