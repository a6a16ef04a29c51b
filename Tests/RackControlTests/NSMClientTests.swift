import BacklineTestSupport
import Foundation
import OSC
import RackModel
import RackTestSupport
import Synchronization
import Testing

@testable import RackControl
@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// A session manager that sends requests at bad moments.
  @Suite(.serialized) struct NewSessionManager {
    private let rack = """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: aufx/gain/bkln } }
      connections: [ in -> level -> out ]
      """

    /// Accepts a client and lets it open a session, which is saved to a copy after `isSaving`.
    private func run(
      isSaving: @escaping @Sendable (RackSession, _ path: String) async throws -> Answer,
      _ body: (OSCPeerProbe, SessionRig) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      let path = folder.path("copy.yaml")
      let socket = try OSCSocket(at: OSCEndpoint(host: "127.0.0.1", port: 0))
      let url = "osc.udp://127.0.0.1:\(try #require(socket.endpoint).port)/"
      async let joining = NSMClient.announce(to: url, application: "Test", executable: "test")
      var announcer: OSCEndpoint?
      try await eventually("it announces itself") {
        announcer = socket.receive()?.sender
        return announcer != nil
      }
      let manager = try OSCPeerProbe(try #require(announcer), through: socket)
      manager.send("/reply", .text("/nsm/server/announce"), .text("welcome"))
      let client = try await joining
      try await SessionRig.run(rack) { rig in
        await client.opened(rig.session) { [session = rig.session] in
          try await isSaving(session, path)
        }
        _ = try await manager.message("/nsm/client/is_clean")
        try await body(manager, rig)
        await client.stop()
      }
    }

    private static func save(_ session: RackSession, _ path: String) async throws -> Answer {
      try await session.perform("save \(path) --force")
    }

    @Test func whatChangesWhileItIsSavedIsStillToBeSaved() async throws {
      let count = Atomic(0)
      try await run { session, path in
        let saved = try await Self.save(session, path)
        guard case .saved(_, let revision) = saved else { return saved }
        if count.add(1, ordering: .relaxed).newValue == 1 {
          try await session.perform("set level.gain -5 dB")
          try await eventually("it is told") { session.revision != revision }
        }
        return saved
      } _: { manager, rig in
        try await rig.perform("set level.gain -3 dB")
        _ = try await manager.message("/nsm/client/is_dirty")
        // The client reports that it is clean before the second save.
        for expected in [["/reply"], ["/nsm/client/is_clean", "/reply"]] {
          manager.send("/nsm/client/save")
          var told: [String] = []
          try await eventually("it is saved") {
            while let message = manager.next() { told.append(message.address) }
            return told.contains("/reply")
          }
          #expect(told == expected)
        }
      }
    }

    @Test func oneSaveIsUnderWayAndOneWaits() async throws {
      let (gate, opening) = AsyncStream.makeStream(of: Void.self)
      let count = Atomic(0)
      try await run { session, path in
        count.add(1, ordering: .relaxed)
        for await _ in gate {}
        return try await Self.save(session, path)
      } _: { manager, _ in
        for _ in 0..<20 { manager.send("/nsm/client/save") }
        // All requests have arrived by then.
        manager.send("/nsm/client/open", .text("x"), .text("x"), .text("x"))
        manager.send("/nsm/client/open", .text("x"), .text("x"), .text("x"))
        _ = try await manager.message("/error")
        opening.finish()
        for _ in 0..<2 { _ = try await manager.message("/reply") }
        #expect(count.load(ordering: .relaxed) == 2)
        manager.send("/nsm/client/save")
        _ = try await manager.message("/reply")
        #expect(count.load(ordering: .relaxed) == 3 && manager.next() == nil)
      }
    }
  }
}
