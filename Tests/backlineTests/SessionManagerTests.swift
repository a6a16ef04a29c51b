import BacklineTestSupport
import Foundation
import OSC
import Testing

extension LivePrograms {
  /// A rack in a session of the New Session Manager, whose part the test plays.
  @Suite(.serialized) struct SessionManager {
    /// A session manager (API 1.1).
    private final class StandIn {
      let socket: OSCSocket
      private(set) var client: OSCEndpoint?
      private var waiting: [OSCMessage] = []

      init() throws { socket = try OSCSocket(at: OSCEndpoint(host: "127.0.0.1", port: 0)) }

      var url: String { "osc.udp://localhost:\(socket.endpoint?.port ?? 0)/" }

      struct Silent: Error { var address: String }

      /// Returns the next message to an address; skips others.
      func message(_ address: String) async throws -> OSCMessage {
        for _ in 0..<6000 {
          while let message = next() { if message.address == address { return message } }
          try await Task.sleep(for: .milliseconds(5))
        }
        throw Silent(address: address)
      }

      private func next() -> OSCMessage? {
        if waiting.isEmpty, let (bytes, sender) = socket.receive() {
          client = sender
          waiting = ((try? OSCPacket.elements(of: bytes)) ?? []).map(\.message)
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
      }

      func send(_ address: String, _ arguments: OSCArgument...) {
        guard let client else { return }
        socket.send(OSCMessage(address, arguments).bytes, to: client)
      }

      /// Lets the program save, and expects it to be clean afterwards.
      func save() async throws {
        send("/nsm/client/save")
        _ = try await message("/nsm/client/is_clean")
        #expect(try await message("/reply").arguments.first == .text("/nsm/client/save"))
      }

      /// Accepts the program, and lets it open a project.
      func open(_ path: String, as name: String) async throws -> OSCMessage {
        let announcement = try await message("/nsm/server/announce")
        send(
          "/reply", .text("/nsm/server/announce"), .text("welcome"), .text("the test"),
          .text(":server-control:"))
        send("/nsm/client/open", .text(path), .text("Song"), .text(name))
        return announcement
      }
    }

    @Test func aProjectIsOpenedSavedAndOpenedAgain() async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(-3, to: "level.yaml", in: folder)
      let project = folder.path("Backline.nABCD")
      let manager = try StandIn()
      try await Rig.run("run", rack, "--write-back", wrapper: ["NSM_URL=\(manager.url)"]) { rig in
        let announcement = try await manager.open(project, as: "Backline.nABCD")
        #expect(
          announcement.arguments == [
            .text("Backline"), .text(":dirty:"), .text("backline"), .integer(1), .integer(0),
            .integer(rig.program.processIdentifier),
          ])
        #expect(
          try await manager.message("/reply").arguments
            == [.text("/nsm/client/open"), .text("playing")])
        _ = try await manager.message("/nsm/client/is_clean")
        #expect(try Program.run("ctl", "list").output == "Backline.nABCD\n")
        #expect(try Program.run("ctl", "set", "level.gain", "-12", "dB").status == 0)
        _ = try await manager.message("/nsm/client/is_dirty")
        try await manager.save()
        // A value that is set back makes the project clean again.
        #expect(try Program.run("ctl", "set", "level.gain", "-11", "dB").status == 0)
        _ = try await manager.message("/nsm/client/is_dirty")
        #expect(try Program.run("ctl", "set", "level.gain", "-12", "dB").status == 0)
        // A project that cannot be written stays unsaved.
        try FileManager.default.removeItem(atPath: "\(project).yaml")
        mkdir("\(project).yaml", 0o700)
        manager.send("/nsm/client/save")
        let error = try await manager.message("/error").arguments
        #expect(error.prefix(2) == [.text("/nsm/client/save"), .integer(-1)])
        rmdir("\(project).yaml")
        try await manager.save()
        // The program opens a single project.
        manager.send("/nsm/client/open", .text("x"), .text("x"), .text("x"))
        #expect(try await manager.message("/error").arguments.first == .text("/nsm/client/open"))
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
      }
      // The given file is unchanged.
      #expect(try String(contentsOfFile: rack, encoding: .utf8).contains("-3 dB"))
      try await Rig.run("run", wrapper: ["NSM_URL=\(manager.url)"]) { rig in
        _ = try await manager.open(project, as: "Backline.nABCD")
        _ = try await manager.message("/nsm/client/is_clean")
        #expect(try Program.run("ctl", "get", "level.gain").output == "-12 dB\n")
      }
    }

    @Test func aNewProjectAndOneThatIsWrong() async throws {
      let folder = try TemporaryFolder()
      let manager = try StandIn()
      let project = folder.path("Backline.nEFGH")
      try await Rig.run("run", wrapper: ["NSM_URL=\(manager.url)"]) { rig in
        _ = try await manager.open(project, as: "Backline.nEFGH")
        _ = try await manager.message("/nsm/client/is_clean")
        #expect(FileManager.default.fileExists(atPath: "\(project).yaml"))
        #expect(try Program.run("ctl", "get", "level.gain").output == "0 dB\n")
      }
      try "rack: [".write(toFile: "\(project).yaml", atomically: true, encoding: .utf8)
      try await Rig.run("run", wrapper: ["NSM_URL=\(manager.url)"]) { rig in
        _ = try await manager.open(project, as: "Backline.nEFGH")
        let error = try await manager.message("/error").arguments
        #expect(error.prefix(2) == [.text("/nsm/client/open"), .integer(-9)])
        #expect(rig.program.waitForEnd() != 0)
      }
    }

    /// Songs are saved in their own files: when another plays, with the session, and at the end.
    @Test func theSongsOfASetListAreSaved() async throws {
      let folder = try TemporaryFolder()
      let level = try LivePrograms.writeGain(-3, to: "level.yaml", in: folder)
      let other = try LivePrograms.writeGain(-6, to: "other.yaml", in: folder)
      let list = try folder.write(
        "evening.setlist.yaml",
        bytes: Array(
          "setlist: Evening\nsongs: { One: { rack: level.yaml }, Two: { rack: other.yaml } }".utf8))
      let manager = try StandIn()
      try await Rig.run(
        "run", list, "--write-back", "--timebase", wrapper: ["NSM_URL=\(manager.url)"]
      ) { rig in
        _ = try await manager.open(folder.path("Backline.nIJKL"), as: "Backline.nIJKL")
        _ = try await manager.message("/nsm/client/is_clean")
        func set(_ gain: String) throws {
          #expect(try Program.run("ctl", "set", "level.gain", gain, "dB").status == 0)
        }
        func gain(in file: String) throws -> Substring? {
          try String(contentsOfFile: file, encoding: .utf8).firstMatch(of: /gain: (\S+) dB/)?.1
        }
        try set("-12")
        _ = try await manager.message("/nsm/client/is_dirty")
        #expect(try Program.run("ctl", "next").status == 0)
        #expect(try gain(in: level) == "-12")
        #expect(try Program.run("ctl", "tempo", "97").status == 0)
        try set("-15")
        manager.send("/nsm/client/save")
        _ = try await manager.message("/nsm/client/is_clean")
        #expect(
          try await manager.message("/reply").arguments
            == [.text("/nsm/client/save"), .text("saved in \(other)")])
        #expect(try gain(in: other) == "-15")
        try set("-18")
        rig.program.send(SIGTERM)
        #expect(rig.program.waitForEnd() == 0)
        #expect(try gain(in: other) == "-18")
        #expect(!FileManager.default.fileExists(atPath: folder.path("Backline.nIJKL.yaml")))
      }
    }

    /// The reason why a project cannot be opened is reported.
    @Test(arguments: [
      (["--server-name", "backline-none"], "no JACK server named"),
      (["--record", "/none/take.wav"], "/none/take.wav"),
      (["--automation", "none.yaml"], "none.yaml"),
    ])
    func whyItIsNotOpenedIsTold(options: [String], reason: String) async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
      let manager = try StandIn()
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      let program = try Program(
        ["run", rack, "--server-name", server.name] + options,
        wrapper: ["NSM_URL=\(manager.url)"])
      defer { program.send(SIGKILL) }
      _ = try await manager.open(folder.path("Backline.nMNOP"), as: "Backline.nMNOP")
      let error = try await manager.message("/error").arguments
      #expect(error.first == .text("/nsm/client/open"))
      #expect(error.last?.written?.contains(reason) == true, "\(error)")
      #expect(program.waitForEnd() != 0)
    }

    @Test func withoutASessionItPlaysAllTheSame() async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
      try await Rig.run("run", rack, wrapper: ["NSM_URL=nowhere"]) { rig in
        try await rig.program.waitForOutput("ready: Level")
        #expect(rig.program.errors.contains("playing outside of any session"))
      }
      let nothing = try Program.run("run")
      #expect(nothing.status == 64 && nothing.errors.contains("Missing expected argument"))
    }
  }
}
