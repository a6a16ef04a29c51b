import BacklineTestSupport
import RackModel
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

    /// By how many frames the echo of an impulse is late.
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
  }
}
