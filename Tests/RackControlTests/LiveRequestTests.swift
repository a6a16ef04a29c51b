import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackControl
@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Requests of peers and controls while a rack plays, with MIDI through JACK.
  @Suite(.serialized) struct LiveRequests {
    private let rack = """
      rack: Test
      inputs: { keys: { midi: true } }
      outputs: { out: { channels: 2 } }
      units: { tone: { unit: aumu/sine/bkln }, mix: { unit: aumx/mixr/bkln } }
      connections: [ tone -> mix -> out ]
      controls: [ { from: keys note C1, to: record } ]
      """

    private func play(_ rig: SessionRig, _ messages: [UInt8]...) async throws -> [Float] {
      let probe = try rig.engine.probe(await rig.session.rack.plan)
      let timed = messages.enumerated().map {
        JackProbe.Message($1, at: 1000 + 2000 * $0)
      }
      return try await probe.play([], frames: 24_000, messages: timed).channels[0]
    }

    @Test func aNoteStartsAndStopsARecording() async throws {
      let folder = try TemporaryFolder()
      let file = folder.path("test.yaml")
      try await SessionRig.run(rack, file: file) { rig in
        _ = try await play(rig, [0x90, 24, 100])
        try await eventually("it records") { await rig.engine.engine.status().recording != nil }
        let path = try #require(await rig.engine.engine.status().recording?.file)
        #expect(path.hasPrefix(folder.path("Test 2")) && path.hasSuffix(".wav"))
        _ = try await play(rig, [0x80, 24, 0], [0x90, 24, 100])
        try await eventually("it has ended") { await rig.engine.engine.status().recording == nil }
        #expect(try SoundFile(reading: path).channels.count == 2)
      }
    }

    @Test func aSubscriberReceivesMIDI() async throws {
      let folder = try TemporaryFolder()
      chmod(folder.url.path, 0o700)
      try await SessionRig.run(rack) { rig in
        let server = try await ControlServer.start(rig.session, at: folder.path("test.sock"))
        let peer = try ControlPeerProbe(folder.path("test.sock"))
        _ = try await peer.ask(#"{"id":1,"command":"subscribe","midi":true}"#)
        // The kernel reports messages only once it knows of the reader.
        var texts: [String] = []
        for _ in 0..<20 where texts.isEmpty {
          _ = try await play(rig, [0xB2, 7, 64])
          let status = try await peer.ask(#"{"id":2,"command":"get","parameter":"mix.bypass"}"#)
          #expect(status["id"] as? Int == 2)
          texts = peer.events.compactMap { event in
            let messages = (event["midi"] as? [String: Any])?["messages"] as? [[String: Any]]
            guard messages?.first?["port"] as? String == "keys" else { return nil }
            return messages?.first?["text"] as? String
          }
        }
        await server.stop()
        #expect(texts.first == "cc 7 channel 3: 64")
      }
    }

    @Test func connectTakesAChannelAndARange() async throws {
      try await SessionRig.run(rack) { rig in
        try await rig.perform("connect \"keys channel 2 notes C3..B4 -> tone\"")
        #expect(
          await rig.session.listing().connections.contains("keys channel 2 notes C3..B4 -> tone"))
        for (message, isHeard) in [
          ([0x90, 60, 100], false), ([0x91, 100, 100], false), ([0x91, 60, 100], true),
        ] as [([UInt8], Bool)] {
          let sound = try await play(rig, message)
          #expect((sound.map(abs).max() ?? 0 > 0.01) == isHeard, "\(message)")
        }
        try await rig.perform("undo")
        #expect(await rig.session.listing().connections == ["tone -> mix -> out"])
      }
    }

    /// A rack that is slow to read and build, as from a slow disk.
    @Test func aSetDoesNotWaitForASlowLoad() async throws {
      let gate = DispatchSemaphore(value: 0)
      let (reading, reads) = AsyncStream.makeStream(of: Void.self)
      var sources = SessionRig.sources
      sources.load = { [load = SessionRig.sources.load] name in
        reads.yield()
        #expect(gate.wait(timeout: .now() + 60) == .success, "a set waited for the load")
        return load(name)
      }
      try await SessionRig.run(rack, sources: sources) { rig in
        let session = rig.session
        async let loaded = session.perform("load tape-echo")
        for await _ in reading { break }
        try await session.set("mix.1.gain", -5)
        #expect(try await rig.text(of: "mix.1.gain") == "-5 dB")
        gate.signal()
        #expect(try await loaded.text == "Tape echo loaded")
        #expect(await rig.session.rack.plan.name == "Tape echo")
      }
    }
  }
}
