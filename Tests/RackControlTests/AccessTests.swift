import BacklineTestSupport
import Documents
import Foundation
import OSC
import RackModel
import RackTestSupport
import Testing

@testable import RackControl
@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Files that a peer may name, by its location; and texts and files of units that are set while they
  /// play.
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

    private func reason(
      _ command: any Command, from peer: Peer, _ rig: SessionRig
    ) async -> String {
      do {
        try await rig.session.perform(command, from: peer)
        return ""
      } catch {
        return "\(error)"
      }
    }

    private let network = Peer("osc 192.0.2.1:9000", access: .edit)

    /// The test tries every command with a path, a bundle or a rack, and names none of them.
    @Test func aPeerOfTheNetworkNamesNoFile() async throws {
      try await SessionRig.run(rack) { rig in
        let before = try await rig.state()
        var tried: Set<String> = []
        for command in Commands.all {
          let infos = command.argumentInfos
          for argument in infos {
            let path: String? =
              switch argument.kind {
              case .path: folder.path("new.wav")
              case .rack: folder.path("new.yaml")
              case .component: "new.unit"
              case .setting: "big room.file"
              default: nil
              }
            guard let path else { continue }
            for action in command.word == "automate" ? ["start", "stop", "load"] : ["start"] {
              var texts = [argument.name: path]
              for other in infos where other.isRequired && texts[other.name] == nil {
                texts[other.name] = other.name == "action" ? action : folder.path("one.wav")
              }
              let reason = await reason(try command.read(texts), from: network, rig)
              #expect(reason.contains("may name files"), "\(command.word) \(texts): \(reason)")
              tried.insert(command.word)
            }
          }
        }
        #expect(
          tried.isSuperset(of: ["add", "replace", "load", "save", "automation", "record", "set"]))
        #expect(try await rig.state() == before)
      }
    }

    @Test(arguments: [
      "load evil.yaml", "load ../evil", "add x rack:/tmp/evil",
      "replace \"big room\" ./evil.yaml", "set \"big room.file\" one.wav",
    ])
    func aPathNeedsNoSlash(line: String) async throws {
      try await SessionRig.run(rack) { rig in
        let command = try Commands.read(line: line)
        #expect(await reason(command, from: network, rig).contains("may name files"))
      }
    }

    @Test func whatNamesNoFileIsAllowed() async throws {
      try await SessionRig.run(rack) { rig in
        for line in [
          "set \"big room.mix\" 10 %", "undo", "add echo aufx/dely/bkln", "replace echo Gain",
          "list",
          "automate stop",
        ] {
          let reason = await reason(try Commands.read(line: line), from: network, rig)
          #expect(!reason.contains("may name files"), "\(line)")
        }
      }
    }

    /// A stage device may play, and nothing else.
    @Test func aDeviceOfTheStageChangesNothing() async throws {
      try await SessionRig.run(rack) { rig in
        let before = try await rig.state()
        let device = Peer("page", access: .stage)
        for command in Commands.all where command.declaration.access > .stage {
          let texts = command.argumentInfos.filter { $0.isRequired || command == MoveBox.self }
            .map { ($0.name, $0.example) }
          let command = try command.read(Dictionary(uniqueKeysWithValues: texts))
          #expect(await reason(command, from: device, rig).contains("does not edit"), "\(command)")
        }
        #expect(try await rig.state() == before)
        #expect(
          Set(Commands.words { $0.access == .stage }) == [
            "scene", "song", "next", "previous", "tempo", "tap", "panic", "midi", "express", "play",
            "stop", "get", "list", "picture", "log", "status", "subscribe", "unsubscribe", "watch",
            "guest",
          ])
      }
    }

    @Test func aConnectionThatSpeaksForGuestsNamesNoFile() async throws {
      try await SessionRig.run(rack) { rig in
        let server = try await ControlServer.start(rig.session, at: folder.path("socket"))
        let peer = try ControlPeerProbe(server.path)
        let automation = #"{"command":"automation","file":"\#(folder.path("none.yaml"))"}"#
        for isGuest in [false, true] {
          // A guest stays a guest.
          if isGuest {
            peer.send(#"{"command":"guest","access":"stage"}"#)
            peer.send(#"{"command":"guest","access":"edit"}"#)
          }
          peer.send(automation)
          let error = try await peer.object(with: "error")["error"] as? String
          #expect(error?.contains("does not edit") == isGuest)
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
        let set = "set \"big room.file\" \(folder.path("far off.wav"))"
        #expect(
          try await rig.session.perform(set).text
            == "big room: file is \(folder.path("far off.wav"))"
        )
        #expect(await file() == folder.path("far off.wav"))
        #expect(try await rig.text(of: "big room.mix") == "80 %")
        // A file that is missing or cannot be played changes nothing.
        for name in ["none.wav", "broken.wav"] {
          let wrong = "set \"big room.file\" \(folder.path(name))"
          let error = await #expect(throws: (any Error).self) { try await rig.perform(wrong) }
          #expect("\(error, default: "")".contains(name))
          #expect(await file() == folder.path("far off.wav"))
        }
        try await rig.perform("undo")
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
        // An address pattern matches parameters only.
        peer.send("/big_room/*", .text("x"))
        let other = try await peer.message("/error")
        #expect(other.arguments.last?.written?.contains("is not a value") == true)
        await server.stop()
      }
    }
  }
}

extension ArgumentInfo {
  /// An example text of the argument's kind.
  fileprivate var example: String {
    switch kind {
    case .path: "/none.wav"
    case .count: "1"
    case .flag: "true"
    case .choice(let words): words.first { $0 != "start" } ?? ""
    case .chain: "in -> out"
    case .value where name == "values": "big room.mix=1 %"
    default: name == "to" && kind == .value ? "1 s" : "big room"
    }
  }
}
