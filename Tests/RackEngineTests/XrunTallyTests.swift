import RackModel
import Testing

@testable import RackEngine

struct XrunTallyTests {
  private func cycle(
    _ unit: String, _ nanoseconds: Double, late: [String] = []
  ) -> LateCycle {
    LateCycle(
      nanoseconds: nanoseconds, share: nanoseconds / 1e6,
      units: [.init(name: unit, nanoseconds: nanoseconds / 2, share: nanoseconds / 2e6)],
      late: late)
  }

  @Test func theXrunsOfASecondAreOneEvent() {
    var tally = XrunTally()
    let start = ContinuousClock.now
    #expect(tally.tell(total: 0, at: start) == nil)
    tally.note(cycle("echo", 2000))
    #expect(
      tally.tell(total: 1, at: start) == .xrun(total: 1, worst: cycle("echo", 2000)))
    tally.note(cycle("ring", 1_200_000, late: ["room", "hall"]))
    tally.note(cycle("echo", 3000))
    #expect(tally.tell(total: 40, at: start + .milliseconds(999)) == nil)
    let told = tally.tell(total: 41, at: start + .seconds(1))
    #expect(
      told?.description
        == "xruns so far: 41; the rack took 120.0 % of a cycle:"
        + " ring 60.0 % (600 µs); no answer in time: room, hall")
    #expect(tally.tell(total: 41, at: start + .seconds(5)) == nil)
    #expect(tally.tell(total: 42, at: start + .seconds(5)) == .xrun(total: 42, worst: nil))
  }

  /// Once a rack plays that does not have its units, the last of another says nothing.
  @Test func theLastXrunGoesWithItsUnits() throws {
    func plan(_ unit: String) throws -> Plan {
      try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { \(unit): { unit: Gain } }
        connections: [ in -> \(unit) -> out ]
        """)
    }
    var status = EngineSnapshot(rack: "Test", clientName: "Test", sampleRate: 1, bufferSize: 1)
    status.show(try plan("echo"))
    status.lastXrun = cycle("echo", 2000)
    status.show(try plan("echo"))
    #expect(status.lastXrun != nil)
    status.show(try plan("ring"))
    #expect(status.lastXrun == nil)
  }
}
