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
  /// Racks over OSC, and peers that misbehave.
  @Suite(.serialized) struct OpenSoundControl {
    private let rack = """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln }
        far echo: { unit: aufx/dely/bkln, parameters: { mix: 0 % } }
      connections: [ in -> level -> far echo -> out ]
      scenes: { quiet: { level.gain: -20 dB } }
      """

    private struct Rig {
      let session: SessionRig
      let server: OSCServer
      let peer: OSCPeerProbe
      let told: Told
    }

    private final class Told: Sendable {
      let sentences = Mutex<[String]>([])
      func contains(_ text: String) -> Bool {
        sentences.withLock { $0.contains { $0.contains(text) } }
      }
    }

    private func run(
      _ rack: String? = nil, _ body: (Rig) async throws -> Void
    ) async throws {
      try await SessionRig.run(rack ?? self.rack) { rig in
        let socket = try OSCSocket(at: OSCEndpoint(host: "127.0.0.1", port: 0))
        let told = Told()
        let server = await OSCServer.start(rig.session, on: socket) { sentence in
          told.sentences.withLock { $0.append(sentence) }
        }
        let peer = try OSCPeerProbe(try #require(socket.endpoint))
        let result: Result<Void, any Error>
        do {
          result = .success(
            try await body(Rig(session: rig, server: server, peer: peer, told: told)))
        } catch {
          result = .failure(error)
        }
        await server.stop()
        try result.get()
      }
    }

    @Test func parametersAreSetAndAskedByTheirAddresses() async throws {
      try await run { rig in
        let peer = rig.peer
        for (value, text) in [
          (OSCArgument.number(-6), "-6 dB"), (.integer(-7), "-7 dB"), (.text("-8 dB"), "-8 dB"),
        ] {
          peer.send("/level/gain", value)
          let answer = try await peer.ask("/level/gain", answer: "/level/gain")
          #expect(answer.arguments.first?.written == "\(text.dropLast(3)).0")
          #expect(try await rig.session.text(of: "level.gain") == text)
        }
        peer.send("/level/bypass", .boolean(true))
        #expect(
          try await peer.ask("/level/bypass", answer: "/level/bypass").arguments == [.number(1)])
        // The name is not valid in an address, and several messages are sent at once.
        peer.send("/far_echo/mix", .text("30 %"))
        #expect(
          try await peer.ask("/far_echo/m?x", answer: "/far_echo/mix").arguments == [.number(30)])
        peer.send("/*/bypass", .integer(0))
        #expect(
          try await peer.ask("/get", .text("level.bypass"), answer: "/level/bypass").arguments
            == [.number(0)])
      }
    }

    @Test func commandsAreThoseOfTheControlSocket() async throws {
      try await run { rig in
        let peer = rig.peer
        let scene = try await peer.ask("/scene", .text("quiet"), answer: "/reply")
        #expect(scene.arguments == [.text("/scene"), .text("scene quiet")])
        #expect(try await rig.session.text(of: "level.gain") == "-20 dB")
        let undone = try await peer.ask("/undo", answer: "/reply")
        #expect(undone.arguments.last == .text("undone: scene quiet"))
        let added = try await peer.ask(
          "/add", .text("tone"), .text("Low-Pass Filter"), answer: "/reply")
        #expect(added.arguments.last == .text("Low-Pass Filter added as tone"))
        // The parameters of a unit that was just added have addresses.
        peer.send("/tone/cutoff", .text("1.2 kHz"))
        #expect(
          try await peer.ask("/tone/cutoff", answer: "/tone/cutoff").arguments == [.number(1200)])
        let list = try await peer.ask("/list", answer: "/list/parameter")
        #expect(list.arguments.prefix(2) == [.text("/level/gain"), .text("Gain")])
        #expect(try await peer.message("/list/scene").arguments == [.text("quiet")])
        #expect(
          try await peer.ask("/status", answer: "/status/rack").arguments == [.text("Test")])
      }
    }

    /// The surface sends a number when a button is pressed, and 0 when it is released.
    @Test(arguments: [
      (OSCArgument.number(1), OSCArgument.number(0)), (.integer(1), .integer(0)),
      (.integer(127), .integer(0)), (.boolean(true), .boolean(false)), (.impulse, .number(0.25)),
    ])
    func aButtonActsWhenItIsPressed(down: OSCArgument, up: OSCArgument) async throws {
      try await run { rig in
        let peer = rig.peer
        let press = try await peer.ask("/scene", .text("quiet"), down, answer: "/reply")
        #expect(press.arguments.last == .text("scene quiet"))
        peer.send("/undo", up)
        peer.send("/panic", up)
        #expect(
          try await peer.ask("/undo", down, answer: "/reply").arguments.last?.written
            == "undone: scene quiet")
        peer.send("/redo", up)
        peer.send("/save", up)
        #expect(
          try await peer.ask("/panic", down, answer: "/reply").arguments.first
            == .text("/panic"))
        // The messages of the release arrived first, and did nothing.
        #expect(try await peer.ask("/level/gain", answer: "/level/gain").arguments == [.number(0)])
        peer.send("/redo", down)
        #expect(try await peer.message("/reply").arguments.last?.written == "redone: scene quiet")
      }
    }

    @Test func transportTempoAndRecordingsAreThoseOfTheControlSocket() async throws {
      let folder = try TemporaryFolder()
      try await run { rig in
        let peer = rig.peer
        func reply(_ address: String, _ arguments: OSCArgument...) async throws -> String? {
          peer.send(OSCMessage(address, arguments).bytes)
          return try await peer.message("/reply").arguments.last?.written
        }
        #expect(try await reply("/tempo", .number(97.5)) == "tempo 97.5 bpm")
        try await eventually("the tempo is asked") {
          (try? await reply("/tempo")) == "tempo 97.5 bpm"
        }
        #expect(try await reply("/tap") == "tap once more to set the tempo")
        #expect(try await reply("/locate", .text("1:30")) == "the transport is at 90 s")
        #expect(try await reply("/play") == "the transport rolls")
        try await eventually("it rolls") {
          let transport = await rig.session.session.status().transport
          return transport.isRolling && transport.seconds >= 90
        }
        #expect(try await reply("/stop") == "the transport is stopped")
        try await eventually("it stands") {
          peer.send("/status")
          let rolls = try? await peer.message("/status/transport_rolls")
          return rolls?.arguments == [.boolean(false)]
        }
        let path = folder.path("take.wav")
        #expect(
          try await reply("/record", .text("start"), .text(path), .text("in, level"))
            == "recording 2 channels into \(path)")
        #expect(try await reply("/record", .text("stop"))?.hasPrefix("recorded ") == true)
        #expect(
          try await reply("/automate", .text("start"), .text(folder.path("moves.yaml")))
            == "recording automation into \(folder.path("moves.yaml"))")
        #expect(
          try await reply("/automate", .text("stop"))
            == "nothing was moved while the transport rolled, so there is no file")
        #expect(!FileManager.default.fileExists(atPath: folder.path("moves.yaml")))
      }
    }

    @Test func whatIsWrongIsAnswered() async throws {
      let wrong = [
        (OSCMessage("/levl/gain", .number(1)), "did you mean “/level/gain”?"),
        (OSCMessage("/level/gain", .number(Double.nan)), "“nan” is not a value for “level.gain”"),
        (OSCMessage("/level/gain", .number(1e9)), "is above the most"),
        (OSCMessage("/level/gain", .other), "takes numbers and texts"),
        (OSCMessage("/level/gain", .number(1), .number(2)), "takes one value, not 2"),
        (OSCMessage("/none*/gain", .number(1)), "matches no parameter"),
        (OSCMessage("/" + String(repeating: "*a", count: 99) + "/x", .number(1)), "a pattern has"),
        (OSCMessage("/record", .text("strat")), "did you mean “start”?"),
        (OSCMessage("/record", .text("start"), .text("take.wav")), "must be an absolute path"),
        (OSCMessage("/tepmo"), "did you mean “/tempo”?"),
        (OSCMessage("/und"), "did you mean “/undo”?"), (OSCMessage("/scene"), "needs “name”"),
        (OSCMessage("/undo", .integer(1), .integer(1)), "takes at most 0 arguments, not 1"),
        (OSCMessage("/undo", .text("1")), "takes at most 0 arguments, not 1"),
        (OSCMessage("level"), "is not an address"),
        (OSCMessage("/level//gain"), "is not an address"),
        (OSCMessage("/subscribe", .number(0), .number(-1)), "“port” must be 1 to 65535"),
      ]
      try await run { rig in
        for (message, reason) in wrong {
          rig.peer.send(message.bytes)
          let error = try await rig.peer.message("/error")
          #expect(error.arguments.first == .text(message.address))
          #expect(error.arguments.last?.written?.contains(reason) == true, "\(error)")
        }
        try await eventually("it is told") {
          rig.told.contains("OSC: refused messages, from 127.0.0.1:")
        }
      }
    }

    @Test func changesAreToldToThoseWhoSubscribed() async throws {
      try await run { rig in
        let (peer, other) = (rig.peer, try OSCPeerProbe(rig.peer.server))
        peer.send("/subscribe", .number(20))
        // The present state is sent first.
        #expect(try await peer.message("/rack").arguments == [.text("Test")])
        #expect(try await peer.message("/far_echo/mix").arguments == [.number(0)])
        try await rig.session.perform("set level.gain -3 dB")
        #expect(try await peer.message("/level/gain").arguments == [.number(-3)])
        other.send("/level/gain", .number(-4))
        #expect(try await peer.message("/level/gain").arguments == [.number(-4)])
        #expect(try await peer.message("/meters/outputs/out").arguments.count == 2)
        try await rig.session.perform("rename level loudness")
        #expect(try await peer.message("/rack").arguments == [.text("Test")])
        #expect(try await peer.message("/loudness/gain").arguments == [.number(-4)])
        // The events go to another port.
        let place = try #require(other.socket.endpoint)
        peer.send("/subscribe", .number(0), .integer(Int(place.port)))
        #expect(try await other.message("/loudness/gain").arguments == [.number(-4)])
      }
    }

    /// The unit's name is not valid in an address, and a list of signals could read it as two.
    @Test func aNameWithSpacesIsWatchedAndMetered() async throws {
      try await run { rig in
        let peer = rig.peer
        peer.send("/subscribe", .number(20))
        let meters = try await peer.message("/meters/units/far_echo")
        #expect(meters.arguments.count == 2)
        peer.send("/watch", .text("level.output.scope far echo.output.spectrum level.input.tuner"))
        let spectrum = try await peer.message("/telemetry/far_echo/output/spectrum")
        #expect(spectrum.arguments.count == 120)
        let scope = try await peer.message("/telemetry/level/output/scope")
        #expect(scope.arguments.count == 960)
      }
    }

    /// Read-only parameters are sent with the meters, whenever they have changed.
    @Test func readingsComeWithTheMeters() async throws {
      let rack = """
        rack: Hush
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { gate: { unit: aufx/gate/bkln } }
        connections: [ in -> gate -> out ]
        """
      try await run(rack) { rig in
        rig.peer.send("/subscribe", .number(20))
        #expect(try await rig.peer.message("/gate/gain_reduction").arguments == [.number(60)])
        // The gate is closed, and follows its range within its attack.
        try await rig.session.perform("set gate.range 20 dB")
        var shown: Double?
        while shown.map({ $0 > 20.01 }) ?? true {
          let message = try await rig.peer.message("/gate/gain_reduction")
          if case .number(let value) = message.arguments.first { shown = Double(value) }
        }
      }
    }

    @Test(arguments: [false, true])
    func nobodyIsToldWhatTheyHaveSetThemselves(isTimed: Bool) async throws {
      try await run { rig in
        let (peer, other) = (rig.peer, try OSCPeerProbe(rig.peer.server))
        for subscriber in [peer, other] {
          subscriber.send("/subscribe")
          _ = try await subscriber.message("/far_echo/mix")
        }
        for step in 1...20 {
          let message = OSCMessage("/level/gain", .number(Double(-step)))
          // Some messages have a time tag, and some are immediate.
          peer.send(
            OSCPacket.bundle(
              [message], at: OSCTime(secondsFromNow: isTimed ? 0.3 + 0.01 * Double(step) : 0)))
        }
        var heard: Double = 0
        while heard != -20 {
          guard case .number(let value)? = try await other.message("/level/gain").arguments.first
          else { break }
          heard = value
        }
        #expect(heard == -20)
        // Both peers are told together, so no event for `peer` can follow.
        let rest = try await peer.messagesUpToNow()
        #expect(!rest.contains { $0.address == "/level/gain" })
      }
    }

    /// Each message comes from another port, as when a shell sends.
    @Test func whatIsToldInOnePlaceIsToldOnce() async throws {
      try await run { rig in
        let (place, witness) = (rig.peer, try OSCPeerProbe(rig.peer.server))
        let port = OSCArgument.integer(Int(try #require(place.socket.endpoint).port))
        witness.send("/subscribe")
        _ = try await witness.message("/far_echo/mix")
        for _ in 0...OSCSubscriber.maximum {
          let sender = try OSCPeerProbe(rig.peer.server)
          let reply = try await sender.ask("/subscribe", .number(0), port, answer: "/reply")
          #expect(reply.arguments.last == .text("subscribed for 60 s"))
        }
        try await rig.session.perform("set level.gain -3 dB")
        while try await place.message("/level/gain").arguments != [.number(-3)] {}
        let sender = try OSCPeerProbe(rig.peer.server)
        _ = try await sender.ask("/unsubscribe", port, answer: "/reply")
        try await rig.session.perform("set level.gain -4 dB")
        while try await witness.message("/level/gain").arguments != [.number(-4)] {}
        let told = try await place.messagesUpToNow().filter { $0.address == "/level/gain" }
        #expect(told.isEmpty)
      }
    }

    /// The changes are as far apart as their tags, whatever the machine does meanwhile.
    @Test func timeTagsAreKeptToTheFrame() async throws {
      try await run { rig in
        let probe = try rig.session.engine.probe(await rig.session.session.rack.plan)
        // A busy machine may start to listen too late; at an xrun JACK's clock stops, which no tag
        // reflects.
        for _ in 0..<20 {
          let xruns = await rig.session.engine.engine.status().xruns
          let start = OSCTime(secondsFromNow: 0.5)
          let end = OSCTime(rawValue: start.rawValue + UInt64(1 << 32) / 10)
          for (gain, time) in [(0.0, end), (-20, start)] {
            rig.peer.send(OSCPacket.bundle([OSCMessage("/level/gain", .number(gain))], at: time))
          }
          let take = try await probe.play([Signals.constant(1, frames: 48_000)], frames: 48_000)
          let sound = take.channels[0]
          guard await rig.session.engine.engine.status().xruns == xruns,
            let fall = sound.indices.first(where: { $0 > 1000 && sound[$0] < 0.999 }),
            sound[fall - 1] >= 0.999,
            let low = sound[fall...].indices.first(where: { sound[$0] < 0.1001 }),
            let rise = sound[low...].indices.first(where: { sound[$0] > 0.101 })
          else { continue }
          #expect(abs(rise - fall - 4800) <= 48, "\(rise - fall)")
          #expect((920...980).contains(low - fall), "it is ramped: \(low - fall)")
          return
        }
        Issue.record("it was never heard")
      }
    }

    @Test func timesThatHavePassedAreNowAndFarOnesAreRefused() async throws {
      try await run { rig in
        let peer = rig.peer
        peer.send(
          OSCPacket.bundle(
            [OSCMessage("/level/gain", .number(-5)), OSCMessage("/level/gain")],
            at: OSCTime(secondsFromNow: -100)))
        #expect(try await peer.message("/level/gain").arguments == [.number(-5)])
        peer.send(
          OSCPacket.bundle(
            [OSCMessage("/level/gain", .number(-6))], at: OSCTime(secondsFromNow: 3600)))
        let error = try await peer.message("/error").arguments.last?.written
        #expect(error?.contains("s ahead; 60 s are the most") == true)
        // A bypass and a command wait for their time, too.
        peer.send(
          OSCPacket.bundle(
            [OSCMessage("/level/bypass", .integer(1)), OSCMessage("/scene", .text("quiet"))],
            at: OSCTime(secondsFromNow: 0.3)))
        #expect(try await peer.message("/reply").arguments.last == .text("scene quiet"))
        try await eventually("the bypass is set") {
          (try? await rig.session.text(of: "level.bypass")) == "on"
        }
        #expect(try await rig.session.text(of: "level.gain") == "-20 dB")
      }
    }

    /// The commands that the messages cause wait no less than the messages did.
    @Test func whatWaitsIsBounded() async throws {
      try await run { rig in
        let bypasses = OSCPacket.bundle(
          [OSCMessage](
            repeating: OSCMessage("/*/bypass", .integer(1)), count: OSCSchedule.maximumEntries - 100
          ),
          at: OSCTime(secondsFromNow: 0.5))
        // A busy machine may read the messages too late.
        for _ in 0..<5 {
          rig.peer.send(bypasses)
          try await Task.sleep(for: .milliseconds(200))
          if await rig.server.schedule.entries.count > 100 { break }
        }
        let error = try await rig.peer.message("/error").arguments
        #expect(error.last == .text("1024 messages wait for their time already"))
        #expect(await rig.server.schedule.entries.count <= OSCSchedule.maximumEntries)
        try await eventually("the bypass is set") {
          (try? await rig.session.text(of: "level.bypass")) == "on"
        }
      }
    }

    @Test func errorsAreAnsweredNowAndThen() async throws {
      try await run { rig in
        let begin = ContinuousClock.now
        var errors = 0
        for turn in 1...100 {
          for _ in 0..<20 { rig.peer.send("/nothing/here", .number(1)) }
          rig.peer.send("/get", .text("level.gain"))
          var isAnswered = false
          try await eventually("it is answered, turn \(turn)") {
            while let message = rig.peer.next() {
              if message.address == "/error" { errors += 1 } else { isAnswered = true }
            }
            return isAnswered
          }
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        #expect(errors >= 20 && Double(errors) <= 20 + 20 * seconds + 1)
        // The number of errors is limited; 2000 messages were sent.
        #expect(errors < 2000)
      }
    }

    @Test func garbageAndFloodsHurtNobody() async throws {
      try await run { rig in
        let flood = try OSCPeerProbe(rig.peer.server)
        let garbage = (0..<64).map { size in (0..<size * 9).map { _ in UInt8.random(in: 0...255) } }
        let bundle = OSCPacket.bundle(
          (0..<2000).map { OSCMessage("/level/gain", .number(Double(-$0 % 60))) })
        var isDropped = false
        for turn in 0..<20_000 where !isDropped {
          flood.send(garbage[turn % 64])
          flood.send([UInt8](repeating: UInt8(ascii: "/"), count: 60_000))
          flood.send(bundle)
          if turn % 100 == 99 {
            isDropped =
              rig.told.contains("dropped messages") && rig.told.contains("that are not OSC")
            try await Task.sleep(for: .milliseconds(1))
          }
        }
        try await eventually("it is told") {
          rig.told.contains("OSC: datagrams that are not OSC, from 127.0.0.1:")
        }
        // The rack plays, and others are heard.
        try await eventually("others are heard") {
          rig.peer.send("/level/gain", .number(-17.5))
          return (try? await rig.session.text(of: "level.gain")) == "-17.5 dB"
        }
      }
    }
  }
}
