import BacklineTestSupport
import Documents
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import JackIO
@testable import RackEngine

extension JackTests {
  /// An engine from start to end.
  @Suite(.serialized) struct LiveEngine {
    private func gainPlan(_ decibels: Double = 0, name: String = "Test") throws -> Plan {
      var plan = try TestRacks.plan(
        units: "level: { unit: aufx/gain/bkln, parameters: { gain: \(decibels) dB } }",
        "in -> level -> out")
      plan.name = name
      return plan
    }

    @Test func itStartsTellsAndLeaves() async throws {
      let plan = try gainPlan(-6)
      try await EngineRig.run(plan) { rig in
        try await eventually("it says that it plays") {
          await rig.log.contains { $0 == .playing(rack: "Test") }
        }
        let probe = try rig.probe(plan)
        #expect(
          probe.ports.filter { $0.hasPrefix("Test:") }.sorted() == ["Test:in", "Test:out"])
        _ = try await probe.play([Signals.constant(0.5, frames: 9600)], frames: 9600)
        // A meter covers the time since the snapshot before, so the sound must continue meanwhile.
        let playing = Signals.constant(0.5, frames: 48_000)
        let snapshots = Task { [engine = rig.engine] () -> [EngineSnapshot] in
          var all: [EngineSnapshot] = []
          for _ in 0..<40 {
            all.append(await engine.status())
            try? await Task.sleep(for: .milliseconds(20))
          }
          return all
        }
        _ = try await probe.play([playing], frames: 48_000)
        let all = await snapshots.value
        #expect(all.allSatisfy { $0.rack == "Test" && $0.sampleRate == 48_000 })
        #expect(all.allSatisfy { $0.inputs.map(\.name) == ["in"] && $0.bufferSize == 256 })
        let output = try #require(all.compactMap(\.outputs.first).max { $0.rms < $1.rms })
        #expect(abs(output.peak - 0.5 * Float(pow(10, -0.3))) < 1e-5)
        #expect(abs(output.rms - output.peak) < 1e-3)
        let level = try #require(all.compactMap(\.units.first).max { $0.rms < $1.rms })
        #expect(abs(level.peak - output.peak) < 1e-5 && abs(level.rms - level.peak) < 1e-3)
        let last = try #require(all.last)
        #expect(last.sampleTime > 48_000 && last.units.map(\.name) == ["level"])
        #expect(last.units[0].mean > 0 && last.units[0].maximum >= last.units[0].mean)
        await rig.engine.stop()
        #expect(!probe.ports.contains { $0.hasPrefix("Test:") })
        try await eventually("the events end") { await rig.log.isFinished }
      }
    }

    @Test func aSnapshotHasThePeaksSinceTheOneBefore() async throws {
      let plan = try gainPlan()
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        let silence = Signals.constant(0, frames: 48_000)
        var peaks: [[Float]] = []
        // A busy machine may lose the cycle of the impulse.
        for _ in 1...5 where peaks != [[0.5], [0.5], [0.5]] {
          let before = await rig.engine.status().sampleTime
          _ = try await probe.play([[0.5] + silence.dropFirst()], frames: 48_000)
          try await eventually("the meters fall") {
            await rig.engine.status().outputs.allSatisfy { $0.peak == 0 }
          }
          let status = await rig.engine.status(since: before)
          peaks = [status.inputs.map(\.peak), status.outputs.map(\.peak), status.units.map(\.peak)]
        }
        #expect(peaks == [[0.5], [0.5], [0.5]])
      }
    }

    @Test func withoutAServerItDoesNotStart() async throws {
      let plan = try gainPlan()
      await #expect(throws: JackError.noServer("backline-none")) {
        _ = try await Engine.start(
          plan, catalogue: TestRacks.catalogue, server: .join, options: .init(name: "backline-none")
        )
      }
    }

    @Test func aRackThatCannotPlayLeavesNothingBehind() async throws {
      var wrong = try TestRacks.plan(shipped: "drum-crusher")
      wrong.units[0].component.subtype = "none"
      let server = try JackTestServer()
      let (plan, name) = (wrong, server.name)
      let error = await #expect(throws: RackError.self) {
        _ = try await Engine.start(
          plan, catalogue: TestRacks.catalogue, server: .join, options: .init(name: name))
      }
      #expect(error?.description.contains("drums") == true)
      #expect(error?.description.contains("augn/none/bkln") == true)
      let probe = try JackProbe(server: server.name)
      #expect(!probe.ports.contains { $0.hasPrefix("Drum") })
      server.stop()
    }

    @Test func anEngineThatIsOnlyDroppedLeavesToo() async throws {
      let server = try JackTestServer()
      let probe = try JackProbe(server: server.name)
      weak var dropped: Engine?
      do {
        let engine = try await Engine.start(
          try gainPlan(), catalogue: TestRacks.catalogue, server: .join,
          options: .init(name: server.name))
        #expect(probe.ports.contains { $0.hasPrefix("Test:") })
        dropped = engine
      }
      try await eventually("nobody holds it") { dropped == nil }
      try await eventually("its ports are gone") {
        !probe.ports.contains { $0.hasPrefix("Test:") }
      }
      server.stop()
    }

    @Test func stopFadesOut() async throws {
      let plan = try gainPlan()
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        let tone = Signals.sine(frequency: 100, amplitude: 0.5, frames: 96_000)
        let heard = try await probe.play([tone], frames: 96_000, after: 19_200) {
          [engine = rig.engine] in
          await engine.stop()
        }.channels[0]
        #expect(heard[..<4800].contains { $0 > 0.49 })
        #expect(!heard[90_000...].contains { $0 != 0 })
        // The largest step of the tone, plus that of the fade at the tone's peak.
        let bound = Float(0.5 * (2 * Double.pi * 100 / 48_000 + 1.0 / 480))
        #expect(Signals.largestStep(heard) < bound)
      }
    }

    /// A path in a folder that is none, or does not exist, is refused before anything is recorded.
    @Test func movesNeedAFolder() async throws {
      let folder = try TemporaryFolder()
      let file = try folder.write("file", bytes: [])
      try await EngineRig.run(try gainPlan()) { rig in
        for path in ["\(file)/moves.yaml", folder.path("missing/moves.yaml")] {
          await #expect(throws: Refusal.self) { try await rig.engine.startMoves(file: path) }
        }
        #expect(await rig.engine.moves == nil)
      }
    }

    @Test(.timeLimit(.minutes(5))) func aServerThatStandsStillIsLeft() async throws {
      let folder = try TemporaryFolder()
      let (moves, take) = (folder.path("moves.yaml"), folder.path("take.wav"))
      try await EngineRig.run(try gainPlan()) { rig in
        _ = try await rig.engine.startMoves(file: moves)
        _ = try await rig.engine.startRecording(RecordingRequest(path: take))
        try await rig.engine.startTransport()
        try await eventually("a move is recorded") {
          try? await rig.engine.set("level", "gain", to: -6)
          return await rig.engine.moves?.laneCount == 1
        }
        rig.server.pause()
        defer { rig.server.resume() }
        await rig.engine.stop()
        #expect(try String(contentsOfFile: moves, encoding: .utf8).contains("level.gain"))
        #expect(try !SoundFile(reading: take).channels[0].isEmpty)
        try await eventually("that is told") {
          await rig.log.contains {
            if case .warning(let text) = $0 { text.contains("stands still") } else { false }
          }
        }
        rig.server.resume()
        let probe = try JackProbe(server: rig.server.name)
        try await eventually("it leaves after all") {
          !probe.ports.contains { $0.hasPrefix("Test:") }
        }
      }
    }

    @Test(.timeLimit(.minutes(5))) func aServerThatStandsStillHoldsNothingUp() async throws {
      let folder = try TemporaryFolder()
      try await EngineRig.run(try gainPlan()) { rig in
        let request = RecordingRequest(path: folder.path("take.wav"))
        _ = try await rig.engine.startRecording(request)
        rig.server.pause()
        defer { rig.server.resume() }
        #expect(try await rig.engine.stopRecording().hasPrefix("recorded "))
        #expect(await rig.engine.status().recording == nil)
        var other = try gainPlan(-6, name: "Other")
        other.outputs[0].name = "elsewhere"
        let wider = other
        await #expect(throws: JackError.standsStill) { try await rig.engine.replace(with: wider) }
        #expect(await rig.engine.status().rack == "Test")
        let (plan, name) = (try gainPlan(), rig.server.name)
        await #expect(throws: JackError.standsStill) {
          _ = try await Engine.start(
            plan, catalogue: TestRacks.catalogue, server: .join, options: .init(name: name))
        }
        rig.server.resume()
        let probe = try JackProbe(server: name)
        try await eventually("what came too late is gone") {
          probe.ports.filter { $0.hasPrefix("Test") }.sorted() == ["Test:in", "Test:out"]
        }
        _ = try await rig.engine.startRecording(request.next())
        try await eventually("another is recorded") {
          await rig.engine.status().recording?.length ?? 0 > 0
        }
      }
    }

    @Test(arguments: [false, true]) func itEndsWithTheServerWhereAskedTo(killed: Bool) async throws
    {
      try await EngineRig.run(try gainPlan(), endsWithServer: true) { rig in
        if killed { rig.server.kill() } else { rig.server.stop() }
        try await eventually("the end is told") {
          await rig.log.contains {
            if case .ended(let reason) = $0 { !reason.isEmpty } else { false }
          }
        }
        await #expect(throws: (any Error).self) {
          try await rig.engine.replace(with: gainPlan(-6))
        }
        await rig.engine.stop()
        if killed { try rig.server.clearAwayRemains() }
      }
    }

    @Test func whatIsTooLoudIsFadedOutAndNamed() async throws {
      let plan = try gainPlan(24)
      try await EngineRig.run(plan) { rig in
        let probe = try rig.probe(plan)
        let heard = try await probe.play([Signals.constant(1, frames: 24_000)], frames: 24_000)
        #expect(heard.channels[0].contains { $0 > 15 })
        #expect(heard.channels[0].suffix(12_000).allSatisfy { $0 == 0 })
        try await eventually("it is named") {
          await rig.log.contains { event in
            guard case .tooLoud(let loud) = event else { return false }
            return loud.output == "out" && loud.unit == "level" && abs(loud.level - 24) < 0.1
          }
        }
      }
    }

    @Test func anotherBufferSizePlaysOn() async throws {
      // The test repeats with a feedback cable, whose latency is unchanged.
      let plain = try gainPlan(-6)
      let looping = try TestRacks.plan(
        units: """
          level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }
          loop: { unit: aufx/gain/bkln, parameters: { gain: -96 dB } }
          """, "in -> level -> out", "level -> loop ~> level")
      for plan in [plain, looping] {
        try await EngineRig.run(plan) { rig in
          let probe = try rig.probe(plan)
          rig.server.run("jack_bufsize", "1024")
          try await eventually("the buffer size is told") {
            await rig.engine.status().bufferSize == 1024
          }
          let noise = Signals.noise(frames: 24_000)
          let factor = Float(pow(10, -0.3))
          try await eventually("it plays on, with the fades over") {
            guard let heard = try? await probe.play([noise], frames: 24_000).channels[0]
            else { return false }
            return !zip(heard, noise).contains { abs($0 - factor * $1) > 1e-5 }
          }
          let wasTold = await rig.log.contains {
            if case .remark(let text) = $0 { text.contains("1024") } else { false }
          }
          #expect(wasTold)
        }
      }
    }
  }
}
