import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackControl
@testable import RackEngine

extension JackTests {
  /// The control socket, and peers that misbehave.
  @Suite(.serialized) struct Control {
    private let rack = """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units: { echo: { unit: aufx/dely/bkln, parameters: { mix: 30 % } } }
      connections: [ in -> echo -> out ]
      """

    private func run(
      _ body: (_ rig: SessionRig, _ path: String) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      chmod(folder.url.path, 0o700)
      let path = folder.path("test.sock")
      try await SessionRig.run(rack) { rig in
        let server = try await ControlServer.start(rig.session, at: path)
        let result: Result<Void, any Error>
        do { result = .success(try await body(rig, path)) } catch { result = .failure(error) }
        await server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
        try result.get()
      }
    }

    @Test func commandsAndQuestionsAreAnswered() async throws {
      try await run { rig, path in
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let peer = try ControlPeerProbe(path)
        let greeting = try await peer.object(with: "version")
        #expect(greeting["version"] as? Int == 1 && greeting["client"] as? String == "Test")
        let set = try await peer.ask(
          #"{"id":1,"command":"set","parameter":"echo.mix","value":"45 %"}"#)
        #expect(set["id"] as? Int == 1)
        let done = try #require(set["result"] as? [String: Any])
        #expect(done["done"] as? String == "echo: Mix 45 %")
        #expect((done["value"] as? [String: Any])?["value"] as? Double == 45)
        #expect(try await rig.text(of: "echo.mix") == "45 %")
        let get = try await peer.ask(#"{"id":"a","command":"get","parameter":"echo.mix"}"#)
        let reading = try #require(get["result"] as? [String: Any])
        #expect(get["id"] as? String == "a" && reading["value"] as? Double == 45)
        #expect(reading["text"] as? String == "45 %")
        let list = try await peer.ask(#"{"id":2,"command":"list"}"#)
        let units = (list["result"] as? [String: Any])?["units"] as? [[String: Any]]
        #expect(units?.first?["name"] as? String == "echo")
        // The delay has nineteen parameters and a bypass.
        #expect((units?.first?["parameters"] as? [Any])?.count == 20)
        let status = try await peer.ask(#"{"id":3,"command":"status"}"#)
        #expect((status["result"] as? [String: Any])?["sampleRate"] as? Double == 48_000)
        let wrong = try await peer.ask(#"{"id":4,"command":"set","parameter":"ech.mix","value":1}"#)
        #expect((wrong["error"] as? String)?.contains("did you mean “echo.mix”?") == true)
      }
    }

    /// JSON's numbers are exact below 2^53: no other identifier may come back.
    @Test func largeIdentifiersComeBackOrAreRefused() async throws {
      try await run { _, path in
        let peer = try ControlPeerProbe(path)
        let largest = try await peer.ask(#"{"id":9007199254740991,"command":"list"}"#)
        #expect(largest["id"] as? Int == 9_007_199_254_740_991)
        for id in ["9007199254740992", "9007199254740993", "-9007199254740993", "1e300", "0.5"] {
          peer.send(#"{"id":\#(id),"command":"list"}"#)
          let refused = try await peer.object(with: "error")
          #expect(refused["id"] == nil)
          #expect(
            refused["error"] as? String == "“id” must be a whole number below 2^53, or a text")
        }
      }
    }

    /// Two peers at once are each told of the other's changes.
    @Test func changesAreToldToThoseWhoAsked() async throws {
      try await run { _, path in
        let (first, second) = (try ControlPeerProbe(path), try ControlPeerProbe(path))
        _ = try await first.ask(#"{"id":1,"command":"subscribe","meters":50}"#)
        _ = try await second.ask(#"{"id":1,"command":"set","parameter":"echo.mix","value":20}"#)
        let change = try await first.object(with: "values")
        #expect(change["event"] as? String == "values")
        let values = try #require(change["values"] as? [[String: Any]])
        #expect(values.map { $0["text"] as? String } == ["20 %"])
        _ = try await second.ask(#"{"id":2,"command":"rename","name":"echo","to":"tape"}"#)
        #expect(try await first.object(with: "rack")["rack"] as? String == "Test")
        let meters = try await first.object(with: "meters")["meters"] as? [String: Any]
        #expect((meters?["outputs"] as? [[String: Any]])?.first?["name"] as? String == "out")
      }
    }

    @Test(arguments: [
      "garbage", "[1,2", "[]", "{}", "null", "\u{1}\u{2}", #"{"id":{},"command":"list"}"#,
      #"{"id":1,"command":"lst"}"#, #"{"id":1,"command":["list"]}"#,
      String(repeating: "[", count: 60_000), #"{"id":1,"command":"subscribe","meters":9e9}"#,
    ])
    func garbageGetsAnErrorAndTheConnectionGoesOn(line: String) async throws {
      try await run { _, path in
        let peer = try ControlPeerProbe(path)
        peer.send(line)
        #expect((try await peer.object(with: "error")["error"] as? String)?.isEmpty == false)
        peer.send([0xFF, 0xFE, 0x00, 10])
        _ = try await peer.object(with: "error")
        let list = try await peer.ask(#"{"id":1,"command":"list"}"#)
        #expect(list["result"] != nil)
      }
    }

    @Test(arguments: [false, true], [false, true])
    func aLineWithoutEndIsCut(hasEnd: Bool, hasSubscribed: Bool) async throws {
      try await run { _, path in
        let peer = try ControlPeerProbe(path)
        if hasSubscribed { _ = try await peer.ask(#"{"id":1,"command":"subscribe"}"#) }
        let bytes = [UInt8](repeating: 65, count: hasEnd ? 70_000 : 150_000) + (hasEnd ? [10] : [])
        // The system accepts enough at once.
        #expect(peer.send(bytes) > 66_000)
        let error = try await peer.object(with: "error")["error"] as? String
        #expect(error == "a line has at most 65536 bytes")
        #expect(try await peer.line() == nil)
        let other = try ControlPeerProbe(path)
        #expect(try await other.ask(#"{"id":1,"command":"list"}"#)["result"] != nil)
      }
    }

    /// Peers that send half a line, send nothing, or close their sending half before the answer.
    @Test func silentAndHalfOpenPeersHoldNobodyUp() async throws {
      try await run { _, path in
        let silent = try (0..<20).map { _ in try ControlPeerProbe(path) }
        let half = try ControlPeerProbe(path)
        half.send(Array(#"{"id":1,"comm"#.utf8))
        let ending = try ControlPeerProbe(path)
        ending.send(#"{"id":1,"command":"list"}"#)
        ending.send(Array(#"{"id":2,"command":"status"}"#.utf8))
        ending.endSending()
        #expect(try await ending.object(with: "id")["id"] as? Int == 1)
        #expect(try await ending.object(with: "id")["id"] as? Int == 2)
        #expect(try await ending.line() == nil)
        half.send(#"and":"list"}"#)
        #expect(try await half.object(with: "id")["result"] != nil)
        withExtendedLifetime(silent) {}
      }
    }

    @Test func tooManyAreToldSo() async throws {
      try await run { _, path in
        var peers = try (0..<ControlServer.maximumPeers).map { _ in try ControlPeerProbe(path) }
        for peer in peers { _ = try await peer.object(with: "version") }
        let refused = try ControlPeerProbe(path)
        #expect(
          try await refused.object(with: "error")["error"] as? String
            == "more than 64 peers at once")
        #expect(try await refused.line() == nil)
        peers.removeLast(60)
        try await eventually("there is room again") {
          guard let peer = try? ControlPeerProbe(path) else { return false }
          return (try? await peer.object(with: "version")) != nil
        }
      }
    }

    /// These listeners get no event whose failure would show that they have left.
    @Test func listenersThatAreGoneMakeRoom() async throws {
      try await run { _, path in
        let peers = try (0..<ControlServer.maximumPeers).map { _ in try ControlPeerProbe(path) }
        for peer in peers {
          _ = try await peer.ask(#"{"id":1,"command":"subscribe"}"#)
          peer.endSending()
        }
        let refused = try ControlPeerProbe(path)
        #expect(try await refused.object(with: "error")["error"] != nil)
        for peer in peers[1...] { peer.leave() }
        let other = try ControlPeerProbe(path)
        _ = try await other.ask(#"{"id":1,"command":"set","parameter":"echo.mix","value":20}"#)
        // A peer that only listens stays connected.
        #expect(try await peers[0].object(with: "values")["event"] as? String == "values")
      }
    }

    /// The peer asks for everything and reads nothing: its queue is bounded, and other peers are not
    /// affected.
    @Test func aPeerThatDoesNotReadIsDropped() async throws {
      try await run { rig, path in
        let slow = try ControlPeerProbe(path)
        slow.send(#"{"id":1,"command":"subscribe","meters":50}"#)
        let other = try ControlPeerProbe(path)
        var turn = 0
        try await eventually("it is dropped") {
          turn += 1
          for _ in 0..<200 { slow.send(#"{"id":2,"command":"list"}"#) }
          let answer = try? await other.ask(
            #"{"id":1,"command":"set","parameter":"echo.mix","value":\#(turn % 100)}"#)
          #expect(answer?["result"] != nil)
          // The server reads no more from the peer.
          return slow.send([10]) < 0 && errno == EPIPE
        }
      }
    }

    @Test func aSocketThatIsServedIsNotTaken() async throws {
      try await run { rig, path in
        await #expect(throws: ControlError.self) {
          try await ControlServer.start(rig.session, at: path)
        }
        let peer = try ControlPeerProbe(path)
        #expect(try await peer.ask(#"{"id":1,"command":"list"}"#)["result"] != nil)
      }
    }

    /// A server that accepts nobody, like a suspended one: its backlog is full.
    @Test func whoeverIsNotLetInIsToldSo() throws {
      let folder = try TemporaryFolder()
      chmod(folder.url.path, 0o700)
      let path = folder.path("test.sock")
      let listener = try ControlSocket.listen(at: path)
      var waiting: [Int32] = []
      defer { for descriptor in waiting + [listener] { close(descriptor) } }
      let error = #expect(throws: ControlError.self) {
        while true { waiting.append(try ControlSocket.connect(to: path, within: 1)) }
      }
      #expect(error?.description.contains("does not answer") == true)
      #expect(ControlSocket.isServed(path) && !ControlSocket.isServed(folder.path("none.sock")))
      let taken = #expect(throws: ControlError.self) { try ControlSocket.listen(at: path) }
      #expect(taken?.description.contains("is served by another rack") == true)
    }

    @Test func aSocketThatNobodyServesIsReplaced() async throws {
      let folder = try TemporaryFolder()
      chmod(folder.url.path, 0o700)
      let path = folder.path("test.sock")
      close(try ControlSocket.listen(at: path))
      #expect(FileManager.default.fileExists(atPath: path))
      try await SessionRig.run(rack) { rig in
        let server = try await ControlServer.start(rig.session, at: path)
        let peer = try ControlPeerProbe(path)
        #expect(try await peer.ask(#"{"id":1,"command":"list"}"#)["result"] != nil)
        await server.stop()
        #expect(try await peer.line() == nil)
      }
      #expect(throws: ControlError.self) {
        try ControlSocket.listen(at: "/" + String(repeating: "x", count: 200))
      }
      chmod(folder.url.path, 0o777)
      let error = #expect(throws: ControlError.self) { try ControlSocket.listen(at: path) }
      #expect(error?.description.contains("other users can access") == true)
    }
  }
}
