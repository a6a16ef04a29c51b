import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// Bypass commands act in the order in which they were sent, even if the graph changes in between.
@Suite struct BypassCommandTests {
  private let ones = [Float](repeating: 1, count: 64)
  private let cables = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]
  /// The cables of a graph in which no output pulls the unit.
  private let past = [KernelHost.cable(nil, nil), KernelHost.cable(nil, 0)]

  /// Returns a host that plays a unit with a gain of 3.
  private func host(controls: [bl_control] = []) throws -> KernelHost {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor, parameters: [(0, 3)])
    host.play(try host.lower(cables, midi: [KernelHost.midi(nil, 0)], controls: controls))
    _ = host.render([ones], frames: 64)
    return host
  }

  private func bypass(_ host: KernelHost, _ bypassed: Bool) {
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = bypassed }
  }

  @Test func theLastCommandCountsAcrossAGraphWithoutTheUnit() throws {
    let host = try host()
    bypass(host, true)
    host.play(try host.lower(past))
    bypass(host, false)
    host.play(try host.lower(cables))
    #expect(host.render([ones], frames: 64)[0].allSatisfy { $0 == 3 })
  }

  private func schedule(_ host: KernelHost, _ bypassed: Bool, at time: Int64) {
    host.send(BL_COMMAND_SCHEDULE, to: 0) {
      $0.event.sample_time = time
      $0.event.type = BL_EVENT_PARAMETER
      $0.event.parameter = bl_parameter_event(
        address: .max, value: bypassed ? 1 : 0, ramp_duration: 0, is_line: false)
    }
  }

  /// In the cycle of the bypass, the graph changes to one that does not render the unit; if `last`
  /// is not nil, another bypass command is sent in that cycle.
  @Test(arguments: [nil, true, false] as [Bool?], [false, true])
  func aBypassFallsDueAsTheGraphChanges(last: Bool?, playsNothing: Bool) throws {
    let host = try host()
    for bypassed in [false, true] { schedule(host, bypassed, at: 128) }
    _ = host.render([ones], frames: 64)
    if playsNothing {
      if let last { bypass(host, last) }
      host.playNothing()
    } else {
      host.play(try host.lower(past))
      if let last { bypass(host, last) }
    }
    host.receiveCommands()
    host.play(try host.lower(cables))
    let output = host.render([[Float](repeating: 1, count: 1024)], frames: 1024)[0]
    #expect(output.last == (last ?? true ? 1 : 3))
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
  }

  @Test func aCommandIsKeptWhileNothingPlays() throws {
    let host = try host()
    bypass(host, true)
    host.playNothing()
    host.play(try host.lower(cables))
    #expect(host.render([ones], frames: 64)[0].allSatisfy { $0 == 1 })
    var bypassed = false
    #expect(bl_node_pop_bypass_change(host.nodes[0], &bypassed) && bypassed)
  }

  /// One or two presses of a toggle follow a bypass command.
  @Test(arguments: [1, 2]) func aToggleSeesTheCommandsBeforeIt(presses: Int) throws {
    var pedal = bl_control()
    (pedal.source, pedal.number, pedal.channels, pedal.to) = (
      BL_CONTROL_CONTROLLER, 80, .max, 1
    )
    (pedal.address, pedal.mode) = (.max, BL_CONTROL_TOGGLE)
    var other = pedal
    other.number = 81
    let host = try host(controls: [pedal, other])
    bypass(host, true)
    for number in 0..<presses {
      host.send(BL_COMMAND_CONTROL_MIDI, to: 0) {
        $0.midi = bl_midi_event(cable: 0, length: 3, bytes: (0xB0, UInt8(80 + number), 127))
      }
    }
    let output = host.render([[Float](repeating: 1, count: 1024)], frames: 1024)[0]
    #expect(output.last == (presses == 1 ? 3 : 1))
  }

  /// The schedule has room for 8192 events, and for 256 that are due at once; a bypass waits for
  /// room.
  @Test(arguments: [1, 2]) func aBypassFindsAFullSchedule(presses: Int) throws {
    var pedal = bl_control()
    (pedal.source, pedal.number, pedal.channels, pedal.to) = (
      BL_CONTROL_CONTROLLER, 80, .max, 1
    )
    (pedal.address, pedal.mode) = (.max, BL_CONTROL_TOGGLE)
    var other = pedal
    other.number = 81
    let host = try host(controls: [pedal, other])
    for _ in 0..<8 {
      for _ in 0..<1024 { host.schedule(0, value: 3, at: 1_000_000) }
      _ = host.render([ones], frames: 64)
    }
    for _ in 0..<256 {
      host.send(BL_COMMAND_SET_PARAMETER, to: 0) {
        $0.parameter = bl_parameter_event(address: 0, value: 3, ramp_duration: 0, is_line: false)
      }
    }
    let messages = (0..<presses).map {
      KernelHost.Message([0xB0, UInt8(80 + $0), 127], at: 3 + $0)
    }
    _ = host.render([ones], frames: 64, midi: messages)
    let output = host.render([[Float](repeating: 1, count: 2048)], frames: 2048)[0]
    #expect(output.last == (presses == 1 ? 1 : 3))
    #expect(host.count(BL_REPORT_EVENTS_LOST) == 0)
  }
}
