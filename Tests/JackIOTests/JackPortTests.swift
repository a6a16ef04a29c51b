import BacklineTestSupport
import CJack
import JackIO
import RackTestSupport
import Testing

extension JackTests {
  /// The ports of a rack as other clients, such as patchbays, see them.
  @Suite(.serialized) struct Ports {
    private let prettyName = "http://jackaudio.org/metadata/pretty-name"
    private let group = "http://jackaudio.org/metadata/port-group"
    private let order = "http://jackaudio.org/metadata/order"

    @Test func portsReadWell() async throws {
      try await JackRig.run { rig in
        let ports = try await rig.client.registerPorts(
          inputs: [.init(name: "mic", prettyName: "Microphone")],
          outputs: [.init(name: "main", channels: 2, prettyName: "Main")],
          midiInputs: [.init(name: "keys", isMIDI: true)])
        // The metadata is set after the activation.
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name)
        #expect(
          probe.ports.filter { $0.hasPrefix("rack:") }.sorted()
            == ["rack:keys", "rack:main_1", "rack:main_2", "rack:mic"])
        let isInput = UInt32(JackPortIsInput.rawValue)
        let isOutput = UInt32(JackPortIsOutput.rawValue)
        // The flags are the direction only: not physical, not terminal.
        #expect(probe.flags("rack:mic") == isInput)
        #expect(probe.flags("rack:keys") == isInput)
        #expect(probe.flags("rack:main_2") == isOutput)
        #expect(probe.type("rack:keys") == JACK_DEFAULT_MIDI_TYPE)
        #expect(probe.type("rack:mic") == JACK_DEFAULT_AUDIO_TYPE)
        #expect(probe.properties("rack:mic") == [prettyName: "Microphone", order: "1"])
        #expect(probe.properties("rack:keys") == [prettyName: "keys", order: "2"])
        #expect(
          probe.properties("rack:main_1") == [prettyName: "Main L", group: "Main", order: "3"])
        #expect(
          probe.properties("rack:main_2") == [prettyName: "Main R", group: "Main", order: "4"])
        await rig.client.unregister(ports)
        #expect(!probe.ports.contains { $0.hasPrefix("rack:") })
      }
    }

    @Test func aTakenClientNameIsResolved() async throws {
      try await JackRig.run { rig in
        let second = try await JackClient.open(name: "rack", server: rig.server.name)
        #expect(second.requestedName == "rack")
        #expect(second.name != "rack")
        #expect(second.name.hasPrefix("rack"))
        await second.close()
      }
    }

    @Test func aPortNameTakenTwiceIsRefusedAndLeavesNothing() async throws {
      try await JackRig.run { rig in
        let ports = [JackPortDescription(name: "a"), JackPortDescription(name: "b")]
        await #expect(throws: JackError.self) {
          try await rig.client.registerPorts(inputs: ports, outputs: [ports[0]])
        }
        let probe = try JackProbe(server: rig.server.name)
        #expect(!probe.ports.contains { $0.hasPrefix("rack:") })
      }
    }

    @Test(arguments: ["", "with:colon", String(repeating: "x", count: 300)])
    func anUnusableClientNameIsRefused(name: String) async throws {
      try await JackRig.run { rig in
        await #expect(throws: JackError.self) {
          try await JackClient.open(name: name, server: rig.server.name)
        }
      }
    }

    @Test func latencyIsTheGraphsAndTheServers() async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [KernelHost.cable(nil, nil), KernelHost.cable(nil, nil, from: 0, to: 1)],
          inputs: [.init(name: "mic", connect: [["system:capture_1"]])],
          outputs: [
            .init(name: "main", connect: [["system:playback_1"]]), .init(name: "dry"),
          ])
        await rig.client.setGraphLatency(["main": 37])
        try await rig.activate()
        try await eventually("the requested connections are made") {
          await rig.log.contains(.connected(port: "rack:main", to: "system:playback_1"))
        }
        let server = rig.server.latencies(of: "system")
        let captured = try #require(server["system:capture_1"]?.capture)
        let played = try #require(server["system:playback_1"]?.playback)
        #expect(captured > 0)
        try await eventually("the latencies are \(captured) + 37 and \(played) + 37") {
          let rack = rig.server.latencies(of: "rack")
          return rack["rack:main"]?.capture == captured + 37
            && rack["rack:dry"]?.capture == captured && rack["rack:mic"]?.playback == played + 37
        }
        await rig.client.setGraphLatency(["main": 100])
        try await eventually("a new latency is told") {
          let rack = rig.server.latencies(of: "rack")
          return rack["rack:main"]?.capture == captured + 100
            && rack["rack:mic"]?.playback == played + 100
        }
      }
    }
  }
}
