import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import RackTestSupport
import Testing

extension JackTests {
  /// Units receive MIDI from JACK.
  @Suite(.serialized) struct MIDI {
    private let frames = 2000
    private let descriptor = TestUnit.scale.descriptor

    private func received(_ unit: OpaquePointer) -> [(time: Int64, bytes: [UInt8])] {
      (0..<bl_test_event_count(unit)).map { index in
        let event = bl_test_event(unit, index)
        let bytes = withUnsafeBytes(of: event.midi.bytes) {
          Array($0.prefix(Int(event.midi.length)))
        }
        return (event.sample_time, bytes)
      }
    }

    /// Plays `messages`; returns the messages that the unit received, with their frames in the run.
    private func play(
      _ messages: [JackProbe.Message], in rig: JackRig
    ) async throws -> [(frame: Int, bytes: [UInt8])] {
      rig.host.add(descriptor)
      try await rig.play(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], inputs: [.init(name: "mic")],
        outputs: [.init(name: "main")], midiInputs: [.init(name: "keys", isMIDI: true)],
        midi: [KernelHost.midi(nil, 0)])
      try await rig.activate()
      let probe = try JackProbe(server: rig.server.name, midi: 1)
      try probe.connect("injector:midi_1", "rack:keys")
      // Connects the capturer after the rack, so that the run ends when the rack has played it.
      try probe.connect("rack:main", "capturer:in_1")
      let silence = [[Float](repeating: 0, count: frames)]
      let recording = try await probe.play(silence, frames: frames, messages: messages)
      let origin = try #require(await rig.client.origin)
      let start = Int64(Int32(bitPattern: recording.startTime &- origin))
      await rig.client.deactivate()
      return received(rig.host.units[0]).map { (Int($0.time - start), $0.bytes) }
    }

    @Test func notesArriveAtTheirFrames() async throws {
      try await JackRig.run { rig in
        let messages: [JackProbe.Message] = [
          .init([0x90, 60, 100], at: 0), .init([0x80, 60, 0], at: 17),
          .init([0xC0, 5], at: 17), .init([0xE0, 0, 64], at: 200),
          .init([0xB0, 64, 127], at: 1999),
        ]
        let received = try await play(messages, in: rig)
        #expect(received.map(\.frame) == [0, 17, 17, 200, 1999])
        #expect(
          received.map(\.bytes)
            == [[0x90, 60, 100], [0x80, 60, 0], [0xC0, 5], [0xE0, 0, 64], [0xB0, 64, 127]])
      }
    }

    @Test func garbageIsDroppedAndCounted() async throws {
      try await JackRig.run { rig in
        let messages: [JackProbe.Message] = [
          .init([0x90, 60, 100], at: 10),
          .init([61, 100], at: 20),  // running status
          .init([0x90, 62], at: 30),  // too short
          .init([0x90, 0x90, 62], at: 40),  // a status byte for data
          .init([0x90, 60, 100, 60], at: 50),  // too long
          .init([0xF4], at: 60),  // undefined
          .init([0xF0, 1, 2], at: 70),  // no end
          .init([0x80, 60, 0], at: 80),
        ]
        let received = try await play(messages, in: rig)
        #expect(received.map(\.frame) == [10, 80])
        #expect(rig.client.midiDropped.map { $0 == (lost: 0, malformed: 6) } == true)
        // A request after the close is answered as well.
        await rig.client.close()
        #expect(rig.client.midiDropped == nil)
        #expect(await rig.client.origin == nil)
        #expect(await rig.client.cpuLoad == 0)
        await rig.client.setGraphLatency(["out": 1])
      }
    }

    @Test func portsAreMergedInOrderOfTime() async throws {
      try await JackRig.run { rig in
        rig.host.add(descriptor)
        try await rig.play(
          [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], inputs: [.init(name: "mic")],
          outputs: [.init(name: "main")],
          midiInputs: [.init(name: "keys", isMIDI: true), .init(name: "pads", isMIDI: true)],
          midi: [KernelHost.midi(nil, 0), KernelHost.midi(nil, 0, from: 1)])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name, midi: 1)
        // The same messages over both ports arrive twice each, the first port's first.
        try probe.connect("injector:midi_1", "rack:keys")
        try probe.connect("injector:midi_1", "rack:pads")
        try probe.connect("rack:main", "capturer:in_1")
        let silence = [[Float](repeating: 0, count: frames)]
        let messages = (0..<20).map { JackProbe.Message([0x90, UInt8($0), 100], at: 5 + 7 * $0) }
        let recording = try await probe.play(silence, frames: frames, messages: messages)
        let origin = try #require(await rig.client.origin)
        let start = Int64(Int32(bitPattern: recording.startTime &- origin))
        await rig.client.deactivate()
        let received = received(rig.host.units[0])
        let notes = received.map { Int($0.bytes[1]) }
        let times = received.map { Int($0.time - start) }
        #expect(notes == (0..<40).map { $0 / 2 })
        #expect(times == notes.map { 5 + 7 * $0 })
      }
    }
  }
}
