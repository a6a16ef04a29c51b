import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// A bypass, a panic or a change of the graph ends notes at its frame, or once their unit is
/// rendered again.
struct NoteEndTests {
  private let silence = [Float](repeating: 0, count: 64)
  private let audio = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]

  private func received(_ host: KernelHost) -> [KernelHost.Message] {
    (0..<bl_test_event_count(host.units[0])).map { index in
      let event = bl_test_event(host.units[0], index)
      let bytes = [event.midi.bytes.0, event.midi.bytes.1, event.midi.bytes.2]
      return .init(bytes, at: Int(event.sample_time))
    }
  }

  /// A bypass or a panic at frame 40 ends the notes that a transposer has sent to the unit before.
  @Test(arguments: [false, true]) func whatAUnitSendsBeforeIsEndedToo(panics: Bool) throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.add(
      BuiltInUnit("aumi/trns/bkln").descriptor, inputs: [], outputs: [], parameters: [(0, 12)])
    var pedal = bl_control()
    (pedal.port, pedal.source, pedal.number, pedal.channels, pedal.to) = (
      1, BL_CONTROL_CONTROLLER, 80, .max, 1
    )
    (pedal.address, pedal.mode) = (.max, panics ? BL_CONTROL_PANIC : BL_CONTROL_ABSOLUTE)
    host.play(
      try host.lower(
        audio, midi: [KernelHost.midi(nil, 1), KernelHost.midi(1, 0)], midiInputs: 2,
        controls: [pedal]))
    _ = host.render([silence], frames: 64, midi: [.init([0x90, 47, 100], at: 0)])
    _ = host.render(
      [silence], frames: 64,
      midi: [
        .init([0x90, 48, 100], at: 10), .init([0x80, 47, 0], at: 20),
        .init([0xB0, 80, 127], at: 40, port: 1), .init([0x90, 50, 100], at: 50),
      ])
    let notes = received(host).filter { $0.bytes[0] & 0xE0 == 0x80 }
    func frames(_ key: UInt8) -> [Int] { notes.filter { $0.bytes[1] == key }.map(\.frame) }
    #expect(frames(59) == [0, 84])
    // In a panic, the transposer ends its notes as well.
    #expect(frames(60).prefix(2) == [74, 104] && Set(frames(60)).count == 2)
    #expect(notes.filter { $0.bytes[1] == 62 } == [.init([0x90, 62, 100], at: 114)])
  }

  @Test func aUnitThatWasNotPulledForAGraphHearsOfTheEnd() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    let midi = [KernelHost.midi(nil, 0)]
    host.play(try host.lower(audio, midi: midi))
    _ = host.render([silence], frames: 64, midi: [.init([0x90, 60, 100], at: 1)])
    host.play(try host.lower([KernelHost.cable(nil, nil)]))
    _ = host.render([silence], frames: 64)
    host.play(try host.lower(audio, midi: midi))
    _ = host.render([silence], frames: 64)
    #expect(received(host).dropFirst() == [.init([0x80, 60, 64], at: 128)])
  }

  /// The notes come from the rack's input, or from a transposer.
  @Test(arguments: [false, true])
  func aPanicBeforeTheKernelHasNoGraphIsNotForgotten(isTransposed: Bool) throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.add(
      BuiltInUnit("aumi/trns/bkln").descriptor, inputs: [], outputs: [], parameters: [(0, 12)])
    let midi =
      isTransposed ? [KernelHost.midi(nil, 1), KernelHost.midi(1, 0)] : [KernelHost.midi(nil, 0)]
    host.play(try host.lower(audio, midi: midi))
    _ = host.render([silence], frames: 64, midi: [.init([0x90, 60, 100], at: 1)])
    host.send(BL_COMMAND_PANIC, to: 0) { _ in }
    host.playNothing()
    host.receiveCommands()
    host.play(try host.lower(audio, midi: midi))
    _ = host.render([silence], frames: 64)
    let heard = received(host).map(\.bytes)
    #expect(heard.contains([0x80, isTransposed ? 72 : 60, 64]) && heard.contains([0xBF, 120, 0]))
  }

  /// The kernel received the commands at the earlier time.
  @Test(arguments: [9000, 100] as [Int64]) func theTimeMayBeSetAfterCommands(time: Int64) throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    host.play(try host.lower(audio, midi: [KernelHost.midi(nil, 0)]))
    bl_kernel_set_sample_time(host.kernel, 5000)
    _ = host.render([silence], frames: 64, midi: [.init([0x90, 60, 100], at: 1)])
    host.send(BL_COMMAND_PANIC, to: 0) { _ in }
    host.receiveCommands()
    bl_kernel_set_sample_time(host.kernel, time)
    _ = host.render([silence], frames: 64)
    let ends = received(host).dropFirst()
    #expect(!ends.isEmpty && ends.allSatisfy { $0.frame == Int(time) })
  }
}
