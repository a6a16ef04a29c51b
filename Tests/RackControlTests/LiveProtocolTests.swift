import BacklineTestSupport
import Foundation
import RackTestSupport
import Testing

@testable import RackControl
@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// The parts of the control socket's protocol that a page uses.
  @Suite(.serialized) struct LiveProtocol {
    private let rack = """
      rack: Test
      inputs: { keys: { midi: true } }
      outputs: { out: { channels: 2 } }
      units:
        tone: { unit: aumu/sine/bkln, parameters: { envelope: { release: 1 ms } } }
        mix: { unit: aumx/mixr/bkln, parameters: { 1.gain: 0 dB } }
      connections: [ keys -> tone -> mix.1, mix -> out ]
      scenes: { soft: { mix.1.gain: -20 dB }, loud: { mix.1.gain: 3 dB } }
      """

    /// Runs a rack whose peers have a socket each.
    private func run(
      _ body: (SessionRig, _ connect: () throws -> ControlPeerProbe) async throws -> Void
    ) async throws {
      let folder = try TemporaryFolder()
      chmod(folder.url.path, 0o700)
      try await SessionRig.run(rack) { rig in
        let path = folder.path("test.sock")
        let server = try await ControlServer.start(rig.session, at: path)
        try await body(rig) { try ControlPeerProbe(path) }
        await server.stop()
      }
    }

    private func value(_ answer: [String: Any]) -> Double? {
      ((answer["result"] as? [String: Any])?["value"] as? [String: Any])?["value"] as? Double
    }

    @Test func aHeldParameterMovesInOneStep() async throws {
      try await run { rig, connect in
        let peer = try connect()
        _ = try await peer.ask(#"{"id":1,"command":"set","parameter":"mix.1.gain","value":-1}"#)
        _ = try await peer.ask(#"{"id":2,"command":"touch","parameter":"mix.1.gain"}"#)
        for value in [-2, -3, -4] {
          let set =
            #"{"id":3,"command":"set","parameter":"mix.1.gain","value":\#(value)}"#
          #expect(self.value(try await peer.ask(set)) == Double(value))
          // The pause is longer than the timeout of a gesture that no hand holds.
          if value == -3 { try await Task.sleep(for: .milliseconds(1200)) }
        }
        let settled = try await peer.ask(#"{"id":4,"command":"release","parameter":"mix.1.gain"}"#)
        #expect(value(settled) == -4)
        _ = try await peer.ask(#"{"id":5,"command":"set","parameter":"mix.1.gain","value":-5}"#)
        for expected in ["-4 dB", "-1 dB", "0 dB"] {
          try await rig.perform("undo")
          #expect(try await rig.text(of: "mix.1.gain") == expected)
        }
        let refused = try await peer.ask(#"{"id":6,"command":"touch","parameter":"mix.9.gain"}"#)
        #expect((refused["error"] as? String)?.contains("mix.1.gain") == true)
      }
    }

    /// A note that is heard is silent once its gain is 0, by its input and by its unit.
    @Test func aNoteExpressesWhatItIsTold() async throws {
      try await run { rig, connect in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        func loudness() async throws -> Float {
          try await probe.play([], frames: 4800).channels[0].map(abs).max() ?? 0
        }
        let peer = try connect()
        _ = try await peer.ask(#"{"id":1,"command":"midi","to":"keys","bytes":"90 3C 64"}"#)
        try await eventually("it sounds") { try await loudness() > 0.01 }
        func express(_ to: String, _ value: String, key: String = "C4") async throws -> String? {
          let answer = try await peer.ask(
            #"{"id":2,"command":"express","to":"\#(to)","key":"\#(key)","expression":"gain","value":\#(value)}"#
          )
          return answer["error"] as? String
        }
        #expect(try await express("keys", "0") == nil)
        try await eventually("it is silent") { try await loudness() < 1e-4 }
        #expect(try await express("keys", "1") == nil)
        try await eventually("it sounds again") { try await loudness() > 0.01 }
        #expect(try await express("kyes", "1")?.contains("did you mean “keys”?") == true)
        #expect(try await express("keys", "1", key: "H9")?.contains("key") == true)
        #expect(try await express("keys", "\"loud\"")?.contains("must be a number") == true)
      }
    }

    @Test func aNoteThroughAnInputSoundsAndEndsWithItsConnection() async throws {
      try await run { rig, connect in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        func loudness() async throws -> Float {
          try await probe.play([], frames: 4800).channels[0].map(abs).max() ?? 0
        }
        var peer: ControlPeerProbe? = try connect()
        let sent = try await peer?.ask(#"{"id":1,"command":"midi","to":"keys","bytes":"90 3C 64"}"#)
        #expect(sent?["result"] != nil)
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await loudness() > 0.01)
        #expect(await rig.session.status().midiInputs.first?.last == "note C4 channel 1: 100")
        peer = nil
        try await eventually("the note has ended") { (try? await loudness()) ?? 1 < 1e-4 }
        let other = try connect()
        for (bytes, reason) in [
          ("90 3C", "not a MIDI message"), ("9G", "hexadecimal"), ("", "hexadecimal"),
        ] {
          let answer = try await other.ask(
            #"{"id":2,"command":"midi","to":"keys","bytes":"\#(bytes)"}"#)
          #expect((answer["error"] as? String)?.contains(reason) == true, "\(bytes)")
        }
        let wrong = try await other.ask(#"{"id":3,"command":"midi","to":"key","bytes":"90 3C 64"}"#)
        #expect((wrong["error"] as? String)?.contains("“keys”") == true)
      }
    }

    @Test func aSceneThatComesLateIsRefused() async throws {
      try await run { rig, connect in
        let peer = try connect()
        let late = try await peer.ask(#"{"id":1,"command":"scene","name":"soft","age":2.5}"#)
        #expect(late["error"] as? String == "late: it was called for 2.5 s ago")
        #expect(try await rig.text(of: "mix.1.gain") == "0 dB")
        let early = try await peer.ask(#"{"id":2,"command":"scene","name":"soft","age":0.5}"#)
        #expect(early["result"] != nil)
        // A knob stays where the hand has left it.
        let set =
          #"{"id":3,"command":"set","parameter":"mix.1.gain","value":-7,"age":2.5}"#
        #expect(value(try await peer.ask(set)) == -7)
      }
    }

    @Test func aSubscriberFollowsTheState() async throws {
      try await run { rig, connect in
        let peer = try connect()
        _ = try await peer.ask(#"{"id":1,"command":"subscribe"}"#)
        func state(after line: String) async throws -> [String: Any] {
          peer.send(line)
          return try await peer.object(with: "state")["state"] as? [String: Any] ?? [:]
        }
        let first = try await state(after: #"{"command":"scene","name":"loud"}"#)
        #expect(first["scene"] as? String == "loud")
        #expect(first["undo"] as? String == "scene loud")
        #expect(first["isSceneChanged"] as? Bool == false)
        var moved = try await state(
          after: #"{"command":"set","parameter":"mix.1.gain","value":0}"#)
        // Events of values that the scene has set may arrive first.
        while moved["isSceneChanged"] as? Bool != true {
          moved = try await peer.object(with: "state")["state"] as? [String: Any] ?? [:]
        }
        #expect(moved["isSaved"] as? Bool == false)
        let undone = try await state(after: #"{"command":"undo"}"#)
        #expect(undone["redo"] as? String == "mix.1: Gain 0 dB")
      }
    }

    @Test func theLogSaysWhatHappened() async throws {
      try await run { rig, connect in
        let peer = try connect()
        _ = try await peer.ask(#"{"id":1,"command":"subscribe"}"#)
        await rig.engine.engine.report(.warning("the roof leaks"))
        let event = try await peer.object(with: "log")
        let entry = (event["log"] as? [[String: Any]])?.last
        #expect(entry?["text"] as? String == "the roof leaks")
        #expect(entry?["isWarning"] as? Bool == true)
        let log = try await peer.ask(#"{"id":2,"command":"log"}"#)["result"] as? [[String: Any]]
        #expect(log?.last?["text"] as? String == "the roof leaks")
      }
    }

    @Test func aListSaysAllThatAViewOfARackNeeds() async throws {
      try await run { rig, _ in
        let listing = await rig.session.listing()
        #expect(
          listing.cables.map(\.chain) == ["tone -> mix", "mix -> out", "keys -> tone"])
        #expect(listing.cables.map(\.kind) == ["audio", "audio", "midi"])
        let tone = try #require(listing.units.first)
        #expect(tone.takesMIDI && !tone.sendsMIDI)
        let attack = try #require(
          tone.parameters.first { $0.parameter == "tone.envelope.attack" })
        #expect(attack.unit == "seconds" && attack.curve == "log")
        #expect(attack.group == "Envelope")
        #expect(attack.overviewRank == 2)
        let drawing = await rig.session.drawing()
        #expect(Set(drawing.boxes.map(\.name)) == ["keys", "tone", "mix", "out"])
        #expect(drawing.cables.map(\.chain) == listing.cables.map(\.chain))
        let catalogue = await rig.session.catalogue()
        let delay = try #require(catalogue.first { $0.unit == "aufx/dely/bkln" })
        #expect(delay.name == "Delay" && delay.presets.count > 5)
      }
    }
  }
}
