import BacklineTestSupport
import Foundation
import JackIO
import RackTestSupport
import Testing

extension JackTests {
  /// Servers that are missing, that die, or that the rack started itself.
  @Suite(.serialized) struct Servers {
    private let hasSoundCard = FileManager.default.fileExists(atPath: "/proc/asound/pcm")

    private let name = "backline-own"

    @Test func withoutAServerTheErrorNamesTheWayOut() async throws {
      let error = await #expect(throws: JackError.self) {
        try await JackSession.open(clientName: "rack", choice: .join, options: .init(name: name))
      }
      #expect(error == .noServer(name))
      #expect(error?.description.contains("--server auto|alsa|dummy") == true)
      #expect(error?.description.contains(name) == true)
    }

    /// libjack waits forever for a stopped server; the client does not.
    @Test func aServerThatStandsStillCanBeLeft() async throws {
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      let session = try await JackSession.open(
        clientName: "rack", choice: .join, options: .init(name: server.name))
      server.pause()
      await session.close()
      server.resume()
      try await eventually("the client has left") { await session.client.isShutDown }
    }

    @Test func aFullRegistryIsSaidWithTheCure() {
      let advice = JackServer.advice(on: "Too many servers already active")
      #expect(advice.contains("--server-name") && advice.contains("rm /dev/shm/jack-shm-registry"))
      #expect(JackServer.advice(on: "`default' server already active").isEmpty)
    }

    @Test(arguments: [false, true]) func aServerThatEndsIsToldAndLeft(killed: Bool) async throws {
      try await JackRig.run { rig in
        try await rig.play(
          [KernelHost.cable(nil, nil)], inputs: [.init(name: "mic")],
          outputs: [.init(name: "main")])
        try await rig.activate()
        if killed { rig.server.kill() } else { rig.server.stop() }
        try await eventually("the shutdown is told") {
          await rig.log.contains {
            if case .shutdown(let reason) = $0 { !reason.isEmpty } else { false }
          }
        }
        await #expect(throws: JackError.closed) {
          try await rig.client.registerPorts(inputs: [], outputs: [])
        }
        await rig.client.close()
        try await eventually("the events end") { await rig.log.isFinished }
        if killed { try rig.server.clearAwayRemains() }
      }
    }

    @Test func callsRightAfterAServersDeathFailAndHarmNothing() async throws {
      try await JackRig.run { rig in
        try await rig.play([], outputs: [.init(name: "main")])
        try await rig.activate()
        rig.server.kill()
        _ = try? await rig.client.registerPorts(inputs: [.init(name: "late")], outputs: [])
        await rig.client.close()
        try rig.server.clearAwayRemains()
      }
    }

    @Test(arguments: [JackServerChoice.dummy, .auto]) func anOwnServerServesOthers(
      choice: JackServerChoice
    ) async throws {
      // With a sound card, `auto` would be audible.
      if choice == .auto && hasSoundCard { return }
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      let host = KernelHost()
      let session = try await JackSession.open(
        clientName: "rack", choice: choice,
        options: .init(name: name, sampleRate: 44_100, period: 128))
      let result: Result<Void, any Error>
      do {
        #expect(session.remarks.contains { $0.contains("dummy") && $0.contains(name) })
        if choice == .auto {
          #expect(session.remarks.contains { $0.contains("no sound card") })
        }
        #expect(await session.client.sampleRate == 44_100)
        #expect(await session.client.bufferSize == 128)
        let ports = try await session.client.registerPorts(
          inputs: [.init(name: "mic", prettyName: "Microphone")],
          outputs: [.init(name: "main")])
        host.play(
          try host.lower([KernelHost.cable(nil, nil)], context: ports.context))
        try await session.client.activate(kernel: KernelReference(host.kernel))
        let seen = JackTestServer.run(["jack_lsp"], server: name).split(separator: "\n")
        #expect(seen.contains("rack:mic") && seen.contains("rack:main"))
        #expect(seen.contains("system:playback_1"))

        let probe = try JackProbe(server: name)
        try probe.connect("injector:out_1", "rack:mic")
        try probe.connect("rack:main", "capturer:in_1")
        // The rack's own server waits for clients in freewheel only.
        probe.setFreewheel(true)
        let input = noise(5000)
        #expect(try await probe.play([input], frames: 5000).channels == [input])
        probe.setFreewheel(false)
        let prettyName = probe.properties("rack:mic")["http://jackaudio.org/metadata/pretty-name"]
        #expect(prettyName == "Microphone")

        let joined = try await JackSession.open(
          clientName: "rack", choice: .join, options: .init(name: name))
        #expect(joined.remarks.contains { $0.contains(joined.client.name) })
        await joined.close()
        result = .success(())
      } catch {
        result = .failure(error)
      }
      await session.close()
      try result.get()
      await #expect(throws: JackError.noServer(name)) {
        try await JackClient.open(name: "rack", server: name)
      }
    }

    @Test func aProcessHasOneServer() async throws {
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      func start(_ name: String) async throws -> JackServer {
        try await JackServer.start(.init(name: name), .dummy)
      }
      let first = try await start(name)
      let error = await #expect(throws: JackError.self) { try await start("\(name)-2") }
      #expect(error?.description.contains("already runs a JACK server") == true)
      // A start waits for a server of the same name that is ending.
      async let second = start(name)
      await first.stop()
      await (try await second).stop()
    }

    @Test func autoJoinsWhatRuns() async throws {
      try await JackRig.run { rig in
        let session = try await JackSession.open(
          clientName: "rack", choice: .auto, options: .init(name: rig.server.name))
        #expect(session.server == nil)
        #expect(session.client.name != "rack")
        #expect(session.remarks.contains { $0.contains(session.client.name) })
        await session.close()
      }
    }

    @Test func anotherServersNameIsRefused() async throws {
      try await JackRig.run { rig in
        let error = await #expect(throws: JackError.self) {
          try await JackServer.start(.init(name: rig.server.name), .dummy)
        }
        #expect(error?.description.contains("already active") == true)
      }
    }

    @Test func alsaWithoutASoundCardIsRefused() async throws {
      if hasSoundCard { return }
      let error = await #expect(throws: JackError.self) {
        try await JackServer.start(.init(name: name), .alsa)
      }
      #expect(error?.description.contains("no sound card") == true)
    }
  }
}
