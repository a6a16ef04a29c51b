import AudioUnits
import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Testing

@testable import RackEngine

extension JackTests {
  /// A unit whose latency changes while its rack plays, beside a path without latency.
  @Suite(.serialized) struct LiveLatency {
    /// Returns the response to an impulse at frame 10.
    private func response(_ probe: JackProbe) async throws -> [Int: Float] {
      var impulse = [Float](repeating: 0, count: 9600)
      impulse[10] = 0.25
      let heard = try await probe.play([impulse], frames: impulse.count).channels[0]
      return Dictionary(
        uniqueKeysWithValues: heard.indices.filter { heard[$0] != 0 }.map { ($0, heard[$0]) })
    }

    enum Way: CaseIterable {
      case parameter, scheduled, property
    }

    @Test(arguments: [(100, 700), (300, 0), (0, 5)], Way.allCases)
    func theRackAndJackFollow(latencies: (before: Int, after: Int), way: Way) async throws {
      let folder = try TemporaryFolder()
      let catalogue = try LateUnit.catalogue(in: folder)
      let plan = try LateUnit.plan(catalogue, latency: latencies.before)
      try await EngineRig.run(plan, catalogue: catalogue) { rig in
        let probe = try rig.probe(plan)
        try await eventually("JACK knows of \(latencies.before) frames") {
          rig.server.latencies(of: "Test")["Test:out"]?.capture == latencies.before
        }
        let start = try await response(probe)
        let first = try #require(start.keys.first)
        #expect(start == [first: 0.5])
        let unit = try #require(await rig.engine.firstUnit)
        let latency = try #require(unit.facts.parameter(atKeyPath: "latency")).address
        switch way {
        case .parameter: try unit.setParameter(latency, to: Float(latencies.after))
        case .scheduled:
          let now = await rig.engine.status().sampleTime
          try unit.scheduleParameter(
            at: .sampleTime(now + 9600), address: latency, value: Float(latencies.after))
        case .property: try unit.setProperty(at: 0, to: "\(latencies.after)")
        }
        try await eventually("JACK knows of \(latencies.after) frames") {
          let ports = rig.server.latencies(of: "Test")
          return ports["Test:out"]?.capture == latencies.after
            && ports["Test:in"]?.playback == latencies.after
        }
        #expect(unit.latency == latencies.after)
        try await eventually("the status tells it, with JACK's own") {
          let told = await rig.engine.status().latencies
          return told.map(\.frames) == [latencies.after]
            && told[0].total == latencies.after
            && told[0].units.map(\.frames) == (latencies.after > 0 ? [latencies.after] : [])
        }
        try await eventually("the fades are over") {
          await rig.engine.hasSettled
        }
        let meets = try await response(probe)
        #expect(meets == [first + latencies.after - latencies.before: 0.5])
      }
    }

    /// A rack whose graph is rebuilt for every change would never settle.
    @Test func aLatencyThatNeverRestsIsHeld() async throws {
      let folder = try TemporaryFolder()
      let catalogue = try LateUnit.catalogue(in: folder)
      let plan = try LateUnit.plan(catalogue, latency: 0)
      try await EngineRig.run(plan, catalogue: catalogue) { rig in
        let unit = try #require(await rig.engine.firstUnit)
        try unit.setProperty(at: 0, to: "wanders")
        try await eventually("the warning names the unit") {
          await rig.log.contains {
            "\($0)".contains("late: its latency has changed 20 times in 30 s")
          }
        }
        try await eventually("the rack plays as it was lowered last") {
          await rig.engine.hasSettled
        }
        let held = unit.latency
        try await Task.sleep(for: .seconds(1))
        #expect(unit.latency == held)
        #expect(await rig.engine.hasSettled)
      }
    }

    @Test func itIsHeldBesideASlowLoad() async throws {
      let folder = try TemporaryFolder()
      let catalogue = try LateUnit.catalogue(in: folder)
      let plan = try LateUnit.plan(catalogue, latency: 0)
      let loaded = try TestRacks.plan(
        """
        rack: Loaded
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { level: { unit: aufx/gain/bkln } }
        connections: [ in -> level -> out ]
        """)
      try await EngineRig.run(plan, catalogue: catalogue) { rig in
        let engine = rig.engine
        let unit = try #require(await engine.firstUnit)
        await engine.suspendLoads()
        async let load: Void = engine.replace(with: loaded)
        do {
          try await eventually("the load is under way") { await engine.isChanging }
          try unit.setProperty(at: 0, to: "wanders")
          try await eventually("the warning names the unit") {
            await rig.log.contains { "\($0)".contains("late: its latency has changed 20 times") }
          }
        } catch {
          await engine.resumeLoads()
          throw error
        }
        await engine.resumeLoads()
        try await load
        #expect(await engine.status().rack == "Loaded")
      }
    }
  }
}

extension Engine {
  fileprivate var firstUnit: AudioUnit? { rack?.units.first?.audioUnit }

  fileprivate var isChanging: Bool { changes.isLocked }
  fileprivate func suspendLoads() { unitMaker.queue.suspend() }
  fileprivate func resumeLoads() { unitMaker.queue.resume() }

  /// Whether the only graph that plays was built for the present latencies.
  fileprivate var hasSettled: Bool {
    receiveReports()
    return !kernel.isOutdated && !kernel.isFading && kernel.graphs.count == 1
  }
}
