import BacklineTestSupport
import Documents
import Foundation
import OSC
import RackModel
import Testing

@testable import RackControl
@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// What a peer may name, by where it is; and texts and files of units that are set while they play.
  @Suite(.serialized) struct Access {
    private let folder: TemporaryFolder
    private let rack: String

    init() throws {
      folder = try TemporaryFolder()
      for name in ["one", "far off"] {
        _ = try SoundFile(sampleRate: 48_000, channels: [[0.5]]).write(folder.path("\(name).wav"))
      }
      _ = try folder.write("broken.wav", bytes: Array("no sound".utf8))
      rack = """
        rack: Test
        inputs: { in: { channels: 2 } }
        outputs: { out: { channels: 2 } }
        units:
          big room:
            unit: aufx/conv/bkln
            parameters: { mix: 80 % }
            properties: { file: "\(folder.path("one.wav"))" }
        connections: [ in -> big room -> out ]
        """
    }

    private func reason(_ request: Request, from peer: Peer, _ rig: SessionRig) async -> String {
      do {
        _ = try await Dispatcher(rig.session).answer(request, from: peer)
        return ""
      } catch {
        return "\(error)"
      }
    }

    private let network = Peer("osc 192.0.2.1:9000", place: .network)

    /// With every command that takes a path, a bundle or a rack; none is named here.
    @Test func aPeerOfTheNetworkNamesNoFile() async throws {
      try await SessionRig.run(rack) { rig in
        let before = try await rig.state()
        var tried: Set<String> = []
        for declaration in CommandDeclaration.all {
          for argument in declaration.arguments {
            let path: String? =
              switch argument.kind {
              case .path: folder.path("new.wav")
              case .rack: folder.path("new.yaml")
              case .component: "new.unit"
              case .setting: "big room.file"
              default: nil
              }
            guard let path else { continue }
            for action in declaration.word == "automate" ? ["start", "stop", "load"] : ["start"] {
              var texts = [argument.name: path]
              for other in declaration.arguments where other.isRequired && texts[other.name] == nil
              {
                texts[other.name] = other.name == "action" ? action : folder.path("one.wav")
              }
              let request = try declaration.request(texts)
              let reason = await reason(request, from: network, rig)
              #expect(reason.contains("may name files"), "\(declaration.word) \(texts): \(reason)")
              tried.insert(declaration.word)
            }
          }
        }
        #expect(
          tried.isSuperset(of: ["add", "replace", "load", "save", "automation", "record", "set"]))
        #expect(try await rig.state() == before)
      }
    }

    @Test(arguments: [
      Command.load(rack: "evil.yaml"), .load(rack: "../evil"),
      .edit(.add(name: "x", unit: "rack:/tmp/evil", preset: nil, inputs: nil, into: nil)),
      .edit(.replace(name: "big room", unit: "./evil.yaml")),
      .edit(.setProperty(name: "big room", property: "file", value: "one.wav")),
    ])
    func aPathNeedsNoSlash(command: Command) async throws {
      try await SessionRig.run(rack) { rig in
        #expect(await reason(.command(command), from: network, rig).contains("may name files"))
      }
    }

    @Test func whatNamesNoFileIsAllowed() async throws {
      try await SessionRig.run(rack) { rig in
        let requests: [Request] = [
          .command(.set(parameter: "big room.mix", value: "10 %")), .command(.undo),
          .command(
            .edit(.add(name: "echo", unit: "aufx/dely/bkln", preset: nil, inputs: nil, into: nil))),
          .command(.edit(.replace(name: "echo", unit: "Gain"))), .list, .stopMoves(file: nil),
        ]
        for request in requests {
          #expect(!(await reason(request, from: network, rig)).contains("may name files"))
        }
      }
    }

    @Test func aConnectionThatSpeaksForGuestsNamesNoFile() async throws {
      try await SessionRig.run(rack) { rig in
        let server = try await ControlServer.start(rig.session, at: folder.path("socket"))
        let peer = try ControlPeerProbe(server.path)
        let automation = #"{"command":"automation","file":"\#(folder.path("none.yaml"))"}"#
        for isGuest in [false, true] {
          if isGuest { peer.send(#"{"command":"guest"}"#) }
          peer.send(automation)
          let error = try await peer.object(with: "error")["error"] as? String
          #expect(error?.contains("may name files") == isGuest)
        }
        await server.stop()
      }
    }

    @Test func aFileIsSetWhileItsUnitPlays() async throws {
      try await SessionRig.run(rack) { rig in
        func file() async -> String? {
          await rig.session.listing().units.first?.properties.first?.value
        }
        #expect(await file() == folder.path("one.wav"))
        let set = Command.set(parameter: "big room.file", value: folder.path("far off.wav"))
        #expect(
          try await rig.session.perform(set) == "set big room.file to \(folder.path("far off.wav"))"
        )
        #expect(await file() == folder.path("far off.wav"))
        #expect(try await rig.text(of: "big room.mix") == "80 %")
        // What is not there, or cannot be played, changes nothing.
        for name in ["none.wav", "broken.wav"] {
          let wrong = Command.set(parameter: "big room.file", value: folder.path(name))
          let error = await #expect(throws: (any Error).self) { try await rig.perform(wrong) }
          #expect("\(error, default: "")".contains(name))
          #expect(await file() == folder.path("far off.wav"))
        }
        try await rig.perform(.undo)
        #expect(await file() == folder.path("one.wav"))
      }
    }

    @Test func aFileIsSetByItsAddress() async throws {
      try await SessionRig.run(rack) { rig in
        let socket = try OSCSocket(at: OSCEndpoint(host: "127.0.0.1", port: 0))
        let server = await OSCServer.start(rig.session, on: socket) { _ in }
        let peer = try OSCPeerProbe(try #require(socket.endpoint))
        peer.send("/big_room/file", .text(folder.path("far off.wav")))
        try await eventually("it is set") {
          await rig.session.listing().units.first?.properties.first?.value
            == folder.path("far off.wav")
        }
        peer.send("/big_room/file", .text(folder.path("none.wav")))
        let error = try await peer.message("/error")
        #expect(error.arguments.last?.written?.contains("there is no file") == true)
        // A pattern means parameters.
        peer.send("/big_room/*", .text("x"))
        let other = try await peer.message("/error")
        #expect(other.arguments.last?.written?.contains("is not a value") == true)
        await server.stop()
      }
    }
  }
}
