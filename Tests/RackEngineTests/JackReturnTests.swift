import AudioUnits
import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import JackIO
@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Servers that end and come back while a rack plays.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct Return {
    /// A loop of 200 ms that neither grows nor fades.
    private let loop = """
      echo: { unit: aufx/dely/bkln, parameters: { time: 200 ms, feedback: 100 %, tone: 20 kHz, mix: 100 % } }
      level: { unit: aufx/gain/bkln }
      """

    private func loopPlan() throws -> Plan {
      try TestRacks.plan(units: loop, "in -> echo -> level -> out")
    }

    /// Returns how similar a sound is to the noise, at any offset: 1 for equal, about 0 for other sounds.
    private func likeness(_ heard: [Float], to noise: [Float]) -> Float {
      heard.withUnsafeBufferPointer { heard in
        var best: Float = 0
        for start in 0..<heard.count - noise.count {
          var (both, own, others): (Float, Float, Float) = (0, 1e-9, 1e-9)
          for place in noise.indices {
            both += heard[start + place] * noise[place]
            own += heard[start + place] * heard[start + place]
            others += noise[place] * noise[place]
          }
          best = max(best, both / (own * others).squareRoot())
        }
        return best
      }
    }

    /// An echo continues at its position, server after server.
    @Test func whatSoundsOnSoundsOn() async throws {
      let plan = try loopPlan()
      try await EngineRig.run(plan) { rig in
        let noise = Signals.noise(frames: 100).map { $0 * 0.5 }
        do {
          let probe = try rig.probe(plan)
          let input = noise + [Float](repeating: 0, count: 4400)
          _ = try await probe.play([input], frames: input.count)
        }
        var before: Int64 = 0
        for turn in 0..<3 {
          try await rig.changeServers(period: 256, killed: turn != 1)
          let time = await rig.engine.status().sampleTime
          #expect(time > before)
          before = time
          let probe = try rig.probe(plan)
          let frames = 12_000
          let silence = [Float](repeating: 0, count: frames)
          let heard = try await probe.play([silence], frames: frames).channels[0]
          #expect(likeness(heard, to: noise) > 0.9)
        }
      }
    }

    @Test func parametersStayAtAnotherRateAndPeriod() async throws {
      let plan = try loopPlan()
      try await EngineRig.run(plan) { rig in
        try await rig.engine.set("level", "gain", to: -20)
        for (period, rate) in [(128, 44_100), (512, 96_000), (256, 48_000)] {
          try await rig.changeServers(period: period, rate: rate)
          let status = await rig.engine.status()
          #expect(status.bufferSize == period && Int(status.sampleRate) == rate)
          #expect(try await rig.engine.value("level", "gain") == -20)
          try await rig.engine.set("echo", "feedback", to: 0)
          let probe = try rig.probe(plan)
          try await eventually("it sounds, as loud as was asked for") {
            let heard = try? await probe.play(
              [Signals.constant(0.5, frames: 48_000)], frames: 48_000)
            return heard.map { abs(($0.channels[0].last ?? 0) - 0.05) < 1e-3 } ?? false
          }
        }
      }
    }

    /// The rack's own connections come back, and those that others made, also to a client that returns
    /// later; those that were disconnected do not.
    @Test(arguments: [false, true]) func connectionsComeBack(killed: Bool) async throws {
      let plan = try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1, connect: "system:capture_1" } }
        outputs: { out: { channels: 2, connect: ["system:playback_1", "system:playback_2"] } }
        connections: [ in -> out ]
        """)
      try await EngineRig.run(plan) { rig in
        var probe: JackProbe? = try JackProbe(server: rig.server.name)
        try await eventually("the wishes have come true") {
          probe?.connections("Test:out_2") == ["system:playback_2"]
            && probe?.connections("Test:in") == ["system:capture_1"]
        }
        try probe?.disconnect("Test:out_1", "system:playback_1")
        try probe?.connect("Test:out_2", "system:playback_1")
        try probe?.connect("Test:out_1", "capturer:in_1")
        try probe?.connect("injector:out_1", "Test:in")
        try probe?.connect("Test:out_2", "Test:in")
        try probe?.disconnect("Test:out_2", "system:playback_2")
        try probe?.connect("Test:out_2", "system:playback_2")
        // A changed connection holds from the next cycle on.
        try await eventually("all that holds") {
          probe?.connections("Test:out_1") == ["capturer:in_1"]
            && probe?.connections("Test:out_2").count == 3
        }
        for _ in 0..<3 {
          try await rig.changeServers(&probe, killed: killed)
          let next = try JackProbe(server: rig.server.name)
          #expect(
            next.ports.filter { $0.hasPrefix("Test:") }.sorted()
              == ["Test:in", "Test:out_1", "Test:out_2"])
          try await eventually("what comes later is connected") {
            next.connections("Test:out_1") == ["capturer:in_1"]
              && next.connections("Test:in").count == 3
          }
          #expect(
            next.connections("Test:out_2").sorted()
              == ["Test:in", "system:playback_1", "system:playback_2"])
          #expect(
            next.connections("Test:in").sorted()
              == ["Test:out_2", "injector:out_1", "system:capture_1"])
          probe = next
        }
      }
    }

    /// A note whose key was released while no server could report it.
    @Test func noNoteHangs() async throws {
      let plan = try TestRacks.plan(
        """
        rack: Test
        inputs: { keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { synth: { unit: aumu/sine/bkln, channels: 1 } }
        connections: [ keys -> synth -> out ]
        """)
      try await EngineRig.run(plan) { rig in
        do {
          let probe = try rig.probe(plan)
          let note = JackProbe.Message([0x90, 69, 100], at: 0)
          let heard = try await probe.play([], frames: 9600, messages: [note]).channels[0]
          #expect(heard.suffix(480).contains { abs($0) > 0.01 })
        }
        // The end of the probe did not report the note's.
        try await rig.changeServers()
        let probe = try rig.probe(plan)
        try await eventually("it is silent") {
          let heard = try? await probe.play([], frames: 4800).channels[0]
          return heard.map { !$0.contains { abs($0) > 1e-4 } } ?? false
        }
      }
    }

    @Test func aRackReplacedMeanwhileComesInItsPlace() async throws {
      let first = try loopPlan()
      let second = try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 }, more: { channels: 1 } }
        units:
          level: { unit: aufx/gain/bkln, parameters: { gain: -20 dB } }
          less: { unit: aufx/gain/bkln, parameters: { gain: -6 dB }, bypass: true }
        connections: [ in -> level -> less -> out, level -> more ]
        """)
      try await EngineRig.run(first) { rig in
        try await rig.changeServers {
          try await rig.engine.replace(with: second)
          #expect(await rig.engine.status().units.map(\.name) == ["level", "less"])
          #expect(await rig.engine.status().serverIsAway)
        }
        let probe = try rig.probe(second)
        try await eventually("it sounds like the second") {
          let heard = try? await probe.play([Signals.constant(0.5, frames: 9600)], frames: 9600)
          return heard.map { $0.channels.allSatisfy { abs(($0.last ?? 0) - 0.05) < 1e-3 } } ?? false
        }
      }
    }

    @Test func unitsInProcessesPlayOnToo() async throws {
      let plan = try TestRacks.plan(
        units: """
          echo: { unit: aufx/dely/bkln, process: own, parameters: { time: 200 ms, feedback: 100 %, tone: 20 kHz, mix: 100 % } }
          """, "in -> echo -> out")
      try await EngineRig.run(plan) { rig in
        let noise = Signals.noise(frames: 100).map { $0 * 0.5 }
        do {
          let probe = try rig.probe(plan)
          let input = noise + [Float](repeating: 0, count: 4400)
          _ = try await probe.play([input], frames: input.count)
        }
        let numbers = await rig.engine.processNumbers
        try await rig.changeServers()
        let probe = try rig.probe(plan)
        let silence = [Float](repeating: 0, count: 12_000)
        let heard = try await probe.play([silence], frames: 12_000).channels[0]
        #expect(likeness(heard, to: noise) > 0.9)
        #expect(await rig.engine.processNumbers == numbers)
      }
    }

    /// Units must not see the music jump back.
    @Test func theTransportStaysWhereItWas() async throws {
      let plan = try loopPlan()
      try await EngineRig.run(plan) { rig in
        let transport = try JackTransport(server: rig.server.name)
        try transport.tell("locate 480000")
        var probe: JackProbe? = try JackProbe(server: rig.server.name)
        try await eventually("it is there") { probe?.transportFrame == 480_000 }
        transport.stop()
        for rate in [48_000, 96_000] {
          try await rig.changeServers(&probe, rate: rate)
          probe = try JackProbe(server: rig.server.name)
          #expect(probe?.transportFrame == UInt32(10 * rate))
        }
        // The position is beyond the limit.
        await #expect(throws: Refusal.self) { try await rig.engine.locate(60_000) }
        try await rig.engine.locate(40_000)
        try await eventually("it is there") { probe?.transportFrame == 3_840_000_000 }
        try await rig.changeServers(&probe, rate: 192_000)
        probe = try JackProbe(server: rig.server.name)
        #expect(probe?.transportFrame == 0)
      }
    }

    @Test func aStopNeedsNotWait() async throws {
      try await EngineRig.run(try loopPlan()) { rig in
        rig.server.kill()
        try await eventually("it waits") { await rig.engine.status().serverIsAway }
        let begin = ContinuousClock.now
        await rig.engine.stop()
        // A server that stands still would take this long.
        #expect(ContinuousClock.now - begin < JackTimeout.default)
        try await eventually("the events end") { await rig.log.isFinished }
        try rig.server.clearAwayRemains()
      }
    }

    /// The server ends as a driver does whose sound card was removed.
    @Test func aServerOfOurOwnIsStartedAgain() async throws {
      let lock = JackTestLock()
      defer { withExtendedLifetime(lock) {} }
      let plan = try loopPlan()
      let engine = try await Engine.start(
        plan, catalogue: TestRacks.catalogue, server: .dummy, options: .init(name: "backline-own"))
      let log = EngineLog(engine.events)
      let result: Result<Void, any Error>
      do {
        try await engine.set("level", "gain", to: -20)
        await engine.server.session.server?.stop()
        try await eventually("it is back") {
          await log.contains { if case .serverReturned = $0 { true } else { false } }
        }
        #expect(try await engine.value("level", "gain") == -20)
        let time = await engine.status().sampleTime
        try await eventually("it plays") { await engine.status().sampleTime > time + 48_000 }
        let ports = JackTestServer.run(["jack_lsp"], server: "backline-own")
        #expect(ports.contains("Test:out"))
        result = .success(())
      } catch {
        result = .failure(error)
      }
      await engine.stop()
      try result.get()
    }
  }
}
