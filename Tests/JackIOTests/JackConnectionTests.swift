import BacklineTestSupport
import CJack
import RackTestSupport
import Testing

@testable import JackIO

extension JackTests {
  /// The rack's ports are connected automatically.
  @Suite(.serialized) struct Connections {
    @Test func aWishComesTrueWhenTheOtherPortAppears() async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [KernelHost.cable(nil, nil)],
          inputs: [.init(name: "mic", connect: [["injector:out_1"]])],
          outputs: [
            .init(
              name: "main", channels: 2, connect: [["system:playback_1"], ["system:playback_2"]])
          ])
        try await rig.activate()
        try await eventually("the present ports are connected") {
          await rig.log.contains(.connected(port: "rack:main_2", to: "system:playback_2"))
        }
        for _ in 0..<2 {
          let probe = try JackProbe(server: rig.server.name)
          try await eventually("the port that appears is connected") {
            probe.connections("rack:mic") == ["injector:out_1"]
          }
          #expect(probe.connections("rack:main_1") == ["system:playback_1"])
          #expect(probe.connections("rack:main_2") == ["system:playback_2"])
        }
      }
    }

    @Test func aPeerThatComesBackIsConnectedAgain() async throws {
      try await JackRig.run { rig in
        try await rig.play([], outputs: [.init(name: "main", connect: [["capturer:in_1"]])])
        try await rig.activate()
        let probe = try JackProbe(server: rig.server.name)
        for _ in 0..<3 {
          try await eventually("connected") { probe.connections("rack:main") == ["capturer:in_1"] }
          try probe.reactivate()
        }
        try await eventually("connected") { probe.connections("rack:main") == ["capturer:in_1"] }
      }
    }

    /// JACK refuses to connect the ports of a peer that is not active yet; the client tries again.
    @Test func aPeerThatIsNotActiveYetIsNoFailure() async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [],
          outputs: [
            .init(name: "main", connect: [["peer:in"]]),
            .init(name: "other", connect: [["capturer:in_1"]]),
          ])
        try await rig.activate()
        let library = try JackLibrary().functions
        var status = jack_status_t(0)
        let peer = try #require(bl_jack_open(library, "peer", rig.server.name, &status))
        defer { _ = library.pointee.jack_client_close(peer) }
        let input = UInt(JackPortIsInput.rawValue)
        _ = library.pointee.jack_port_register(peer, "in", JACK_DEFAULT_AUDIO_TYPE, input, 0)
        let probe = try JackProbe(server: rig.server.name)
        try await eventually("the later port is connected") {
          probe.connections("rack:other") == ["capturer:in_1"]
        }
        #expect(library.pointee.jack_activate(peer) == 0)
        try await eventually("connected") { probe.connections("rack:main") == ["peer:in"] }
        let hasFailed = await rig.log.contains {
          if case .connectionFailed = $0 { true } else { false }
        }
        #expect(!hasFailed)
      }
    }

    @Test func whatIsDisconnectedByHandStaysSo() async throws {
      try await JackRig.run { rig in
        // The probe opens before the client is active: a port that is registered later counts as new until
        // JACK has notified the client, and nobody has disconnected a new port.
        let probe = try JackProbe(server: rig.server.name, inputs: 2)
        try await rig.play([], outputs: [.init(name: "main", connect: [["capturer:in_1"]])])
        try await rig.activate()
        try await eventually("connected") { probe.connections("rack:main") == ["capturer:in_1"] }
        try probe.disconnect("rack:main", "capturer:in_1")
        // A later request is carried out after the client was notified of the disconnection.
        _ = try await rig.client.registerPorts(
          inputs: [],
          outputs: [.init(name: "main", connect: [["capturer:in_1", "capturer:in_2"]])])
        try await eventually("connected") {
          probe.connections("rack:main").contains("capturer:in_2")
        }
        #expect(probe.connections("rack:main") == ["capturer:in_2"])
      }
    }

    /// The connections requested by a rack that failed to replace another are dropped.
    @Test func requestsGoWithTheirRack() async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [],
          outputs: [.init(name: "a"), .init(name: "z", connect: [["capturer:in_2"]])])
        try await rig.activate()
        let connected = JackPortDescription(name: "a", connect: [["capturer:in_1"]])
        await #expect(throws: JackError.self) {
          try await rig.client.registerPorts(inputs: [.init(name: "z")], outputs: [connected])
        }
        await #expect(throws: JackError.self) {
          try await rig.client.registerPorts(inputs: [], outputs: [connected, connected])
        }
        await rig.client.unregister(
          try await rig.client.registerPorts(inputs: [], outputs: [connected]))
        let probe = try JackProbe(server: rig.server.name, inputs: 2)
        // The client connects ports in the order of their names, so “z” comes after “a”.
        try await eventually("connected") { probe.connections("rack:z") == ["capturer:in_2"] }
        #expect(probe.connections("rack:a").isEmpty)
      }
    }

    @Test func aClientThatIsClosedHasNoConnections() async throws {
      try await JackRig.run { rig in
        try await rig.play([], outputs: [.init(name: "main")])
        try await rig.activate()
        #expect(try await rig.client.presentConnections() == ["main": []])
        await rig.client.close()
        await #expect(throws: JackError.closed) { try await rig.client.presentConnections() }
      }
    }

    @Test func aWishThatCannotBeGrantedSaysWhy() async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [], inputs: [.init(name: "mic", connect: [["system:playback_1"]])],
          midiInputs: [.init(name: "keys", isMIDI: true, connect: [["system:capture_1"]])])
        try await rig.activate()
        let refusals: [JackEvent] = [
          .connectionFailed(
            port: "rack:mic", to: "system:playback_1", reason: "it is not an output"),
          .connectionFailed(
            port: "rack:keys", to: "system:capture_1", reason: "it does not carry MIDI"),
        ]
        for refusal in refusals {
          try await eventually("the refusal is told") { await rig.log.contains(refusal) }
        }
      }
    }
  }
}
