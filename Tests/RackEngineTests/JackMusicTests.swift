import BacklineTestSupport
import CJack
import Documents
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine

extension JackTests {
  /// The tempo and the transport, from JACK to the units.
  @Suite(.serialized) struct Music {
    private func plan(tempo: String) throws -> Plan {
      try TestRacks.plan(
        """
        rack: Music
        tempo: \(tempo)
        inputs: { in: }
        outputs: { out: { channels: 1 } }
        units:
          echo: { unit: Delay, parameters: { sync: 1/16, feedback: 0, mix: 100 %, tone: 20 kHz } }
        connections: [in -> echo -> out]
        """)
    }

    /// Returns the delay of an impulse's echo, frames.
    private func echo(_ probe: JackProbe) async throws -> Int? {
      let frames = 24_000
      let recording = try await probe.play([Signals.impulse(frames: frames)], frames: frames)
      return recording.channels[0].firstIndex { abs($0) > 0.5 }
    }

    @Test func theRacksTempoHoldsUntilATimebaseMasterComes() async throws {
      let plan = try plan(tempo: "150 bpm")
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        #expect(try await echo(probe) == 4800)
        let transport = try JackTransport(server: rig.server.name)
        defer { transport.stop() }
        try transport.tell("tempo 100", "master", "play")
        try await eventually("the echo follows the master's tempo") {
          (try? await echo(probe)) == 7200
        }
      }
    }

    /// The tempo is set, and tapped by commands and by a pedal, without clicks in synced units.
    @Test func theTempoIsSetAndTapped() async throws {
      let plan = try TestRacks.plan(
        """
        rack: Taps
        tempo: 150
        inputs: { in: , pedal: { midi: true } }
        outputs: { out: { channels: 1 } }
        units:
          echo: { unit: Delay, parameters: { sync: 1/16, feedback: 0, mix: 100 %, tone: 20 kHz } }
        connections: [in -> echo -> out]
        controls: [ { from: pedal cc 64, to: tempo.tap } ]
        """)
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        #expect(try await rig.engine.setTempo("100") == "tempo 100 bpm")
        try await eventually("the echo follows") { (try? await echo(probe)) == 7200 }
        await #expect(throws: Refusal.self) { try await rig.engine.setTempo("4000") }

        let frames = 48_000
        let tone = Signals.sine(frequency: 100, amplitude: 0.5, frames: frames)
        _ = try await probe.play([tone], frames: frames)
        let taps = [4800, 28_800].flatMap { frame in
          [127, 0].map { JackProbe.Message([0xB0, 64, UInt8($0)], at: frame + 240 - $0) }
        }
        let heard = try await probe.play([tone], frames: frames, messages: taps).channels[0]
        #expect(Signals.largestStep(heard) < 0.02)
        try await eventually("half a second is 120 a minute") {
          abs(await rig.engine.status().tempo - 120) < 0.01
        }
        // Another rack has its own tempo.
        var other = plan
        other.tempo = 60
        try await rig.engine.replace(with: other)
        try await eventually("it has come") { await rig.engine.status().tempo == 60 }
      }
    }

    /// Returns the song position in beats that other clients get.
    private func beats(_ position: jack_position_t) -> Double {
      Double(position.bar - 1) * 4 + Double(position.beat - 1) + Double(position.tick) / 1920
    }

    @Test func othersFollowTheRacksTimebase() async throws {
      let plan = try plan(tempo: "90 bpm")
      try await EngineRig.run(plan, takesTimebase: true) { rig in
        let probe = try rig.probe(plan)
        try await rig.engine.locate(2)
        try await rig.engine.startTransport()
        try await eventually("it rolls") { probe.transportFrame > 96_000 + 9600 }
        let first = probe.transport
        #expect(first.valid.rawValue & JackPositionBBT.rawValue != 0)
        #expect(first.beats_per_minute == 90 && first.beats_per_bar == 4)
        #expect(abs(beats(first) - Double(first.frame) / 48_000 * 1.5) <= 1.0 / 1920)
        _ = try await rig.engine.setTempo("180")
        try await eventually("others have it") { probe.transport.beats_per_minute == 180 }
        let (one, before) = (probe.transport, Double(first.frame) / 32_000)
        // The change skips and repeats no beat.
        let passed = beats(one) - before
        let frames = Double(one.frame) - Double(first.frame)
        #expect(passed >= frames / 32_000 - 0.01 && passed <= frames / 16_000 + 0.01)
        try await eventually("it goes on") { probe.transportFrame > one.frame + 4800 }
        let other = probe.transport
        let way = Double(other.frame - one.frame) / 16_000
        #expect(abs(beats(other) - beats(one) - way) <= 2.0 / 1920)
        try await rig.engine.stopTransport()
      }
    }

    @Test func aTimebaseMasterThatIsThereIsFollowed() async throws {
      let plan = try plan(tempo: "150 bpm")
      let server = try JackTestServer(period: 256)
      defer { server.stop() }
      let transport = try JackTransport(server: server.name)
      defer { transport.stop() }
      try transport.tell("tempo 100", "master", "play")
      let probe = try JackProbe(server: server.name)
      try await eventually("there is a master") { probe.transport.beats_per_minute == 100 }
      let engine = try await Engine.start(
        plan, catalogue: TestRacks.catalogue, server: .join, options: .init(name: server.name),
        takesTimebase: true)
      let log = EngineLog(engine.events)
      try await eventually("it is told") {
        await log.contains { $0.description.contains("its tempo is followed") }
      }
      try await eventually("it follows") { await engine.status().tempo == 100 }
      await #expect(throws: Refusal.self) { try await engine.setTempo("120") }
      await engine.stop()
    }
  }
}
