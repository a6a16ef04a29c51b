import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Glibc
import JackIO
import RackTestSupport
import Synchronization
import Testing

/// The number of frames for which `freewheelWaitsForUnitsThatAreFed` waited for its unit.
private let waitedFor = Atomic(0)

extension JackTests {
  /// Audio passes through a real server with the same bits.
  @Suite(.serialized) struct Playback {
    private let frames = 6000

    private func connect(_ probe: JackProbe, channels: Int) throws {
      for channel in 1...channels {
        let suffix = channels == 1 ? "" : "_\(channel)"
        try probe.connect("injector:out_\(channel)", "rack:mic\(suffix)")
        try probe.connect("rack:main\(suffix)", "capturer:in_\(channel)")
      }
    }

    @Test(arguments: [64, 256]) func stereoPassesThroughUnchanged(period: Int) async throws {
      try await JackRig.run(period: period) { rig in
        try await rig.play(
          [KernelHost.cable(nil, nil)], inputs: [.init(name: "mic", channels: 2)],
          outputs: [.init(name: "main", channels: 2)])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name, outputs: 2, inputs: 2)
        try connect(probe, channels: 2)
        let input = [noise(frames), noise(frames, seed: 2)]
        #expect(try await probe.play(input, frames: frames).channels == input)
      }
    }

    @Test(arguments: [false, true]) func aChainOfGainsIsExact(freewheel: Bool) async throws {
      try await JackRig.run { rig in
        for index in 0..<3 {
          rig.host.add(TestUnit.scale.descriptor, parameters: [(0, 0.7 + Float(index) / 10)])
        }
        try await rig.play(
          [
            KernelHost.cable(nil, 0), KernelHost.cable(0, 1), KernelHost.cable(1, 2),
            KernelHost.cable(2, nil),
          ], inputs: [.init(name: "mic")], outputs: [.init(name: "main")])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name)
        try connect(probe, channels: 1)
        if freewheel {
          probe.setFreewheel(true)
          try await eventually("freewheel is told") {
            await rig.log.contains(.freewheel(true))
          }
        }
        let input = noise(frames)
        let recording = try await probe.play([input], frames: frames)
        if freewheel { probe.setFreewheel(false) }
        let expected = input.map { $0 * 0.7 * (0.7 + 1 / 10) * (0.7 + 2 / 10 as Float) }
        #expect(recording.channels == [expected])
      }
    }

    @Test func freewheelWaitsForUnitsThatAreFed() async throws {
      try await JackRig.run { rig in
        let ports = try await rig.client.registerPorts(inputs: [], outputs: [.init(name: "main")])
        let descriptor = UnsafeMutablePointer<bl_unit_descriptor>.allocate(capacity: 1)
        defer { descriptor.deallocate() }
        descriptor.initialize(to: TestUnit.scale.descriptor.pointee)
        descriptor.pointee.wait_until_ready = { _, frames in
          usleep(100)
          waitedFor.add(Int(frames), ordering: .relaxed)
        }
        let unit = try #require(descriptor.pointee.create(descriptor))
        defer { descriptor.pointee.destroy(unit) }
        #expect(ports.waitInFreewheel(for: [(UnsafePointer(descriptor), unit)]))
        rig.host.play(try rig.host.lower([], inputs: [], context: ports.context))
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name, outputs: 0, inputs: 0)
        _ = try await probe.play([], frames: 1000)
        #expect(waitedFor.load(ordering: .relaxed) == 0)
        probe.setFreewheel(true)
        try await eventually("it is waited for") { waitedFor.load(ordering: .relaxed) > 1000 }
        probe.setFreewheel(false)
        await rig.client.deactivate()
      }
    }

    @Test func anotherBufferSizeIsToldAndPlaysOn() async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [KernelHost.cable(nil, nil)], inputs: [.init(name: "mic")],
          outputs: [.init(name: "main")])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name)
        try connect(probe, channels: 1)
        // The period exceeds the graph's maximum_frames, so the kernel splits the cycle.
        rig.server.run("jack_bufsize", "2048")
        try await eventually("the buffer size is told") {
          await rig.log.contains(.bufferSize(2048))
        }
        #expect(await rig.client.bufferSize == 2048)
        let input = noise(frames)
        #expect(try await probe.play([input], frames: frames).channels == [input])
      }
    }

    @Test func portsAreSilentBeforeAndAfterTheirGraph() async throws {
      try await JackRig.run { rig in
        let silence = [[Float](repeating: 0, count: frames)]
        let unit = rig.host.add(TestUnit.provider.descriptor, inputs: [])
        let ports = try await rig.client.registerPorts(
          inputs: [], outputs: [.init(name: "main")])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name)
        try probe.connect("rack:main", "capturer:in_1")
        let nothing = silence
        #expect(try await probe.play(nothing, frames: frames).channels == silence)

        rig.host.play(
          try rig.host.lower(
            [KernelHost.cable(unit, nil)], inputs: [], outputs: [1], context: ports.context))
        let ones = [[Float](repeating: 1, count: frames)]
        #expect(try await probe.play(nothing, frames: frames).channels == ones)

        // The new graph lacks that port; the port set is held, so the port stays.
        try await rig.play([], outputs: [.init(name: "other")])
        try await rig.waitForRetirement()
        #expect(try await probe.play(nothing, frames: frames).channels == silence)
        await rig.client.unregister(ports)
        #expect(!probe.ports.contains("rack:main"))
      }
    }

    @Test func connectionsSurviveAnotherGraph() async throws {
      try await JackRig.run { rig in
        let input = JackPortDescription(name: "mic")
        let output = JackPortDescription(name: "main")
        let first = try await rig.play(
          [KernelHost.cable(nil, nil)], inputs: [input], outputs: [output])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name)
        try connect(probe, channels: 1)
        try await rig.play(
          [KernelHost.cable(nil, nil)], inputs: [input], outputs: [output, .init(name: "cue")])
        try await rig.waitForRetirement()
        await rig.client.unregister(first)
        #expect(probe.connections("rack:mic") == ["injector:out_1"])
        #expect(probe.ports.contains("rack:cue"))
        let sound = noise(frames)
        #expect(try await probe.play([sound], frames: frames).channels == [sound])
      }
    }

    @Test func theProcessThreadIsRealTimeWhereItMayBe() async throws {
      try await JackRig.run { rig in
        try await rig.play([])
        try await rig.activate()
        let warning = await rig.client.realtimeWarning()
        #expect((warning == nil) == RealtimePermission.isGranted(priority: 70))
      }
    }
  }
}
