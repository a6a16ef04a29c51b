import Testing

@testable import RackModel

/// The path that determines an output's latency.
@Suite struct LatencyPathTests {
  @Test func theLongestPathCountsAndEchoesDoNot() throws {
    let plan = try PlanTests.plan(
      """
      rack: Ways
      inputs: { in: { channels: 1 } }
      outputs: { wet: { channels: 1 }, dry: { channels: 1 } }
      units:
        first: { unit: aufx/gain/bkln }
        second: { unit: aufx/gain/bkln }
        other: { unit: aufx/gain/bkln }
      connections:
        - in -> first -> second -> wet
        - in -> other -> wet
        - in -> dry
        - second ~> first
      """)
    #expect(
      plan.latencies(ofUnits: [100, 20, 110]) == [
        PathLatency(
          port: "wet", frames: 120,
          units: [.init(name: "first", frames: 100), .init(name: "second", frames: 20)]),
        PathLatency(port: "dry", frames: 0, units: []),
      ])
    #expect(plan.latencies(ofUnits: [100, 0, 110])[0].units.map(\.name) == ["other"])
  }
}
