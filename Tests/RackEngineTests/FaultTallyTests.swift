import RackModel
import RackTestSupport
import Testing

@testable import RackEngine

struct FaultTallyTests {
  private func cycle(
    _ unit: String, _ nanoseconds: Double, late: [String] = []
  ) -> LateCycle {
    LateCycle(
      nanoseconds: nanoseconds, share: nanoseconds / 1e6,
      units: [.init(name: unit, nanoseconds: nanoseconds / 2, share: nanoseconds / 2e6)],
      late: late)
  }

  @Test func theXrunsOfASecondAreOneEvent() {
    var tally = FaultTally()
    let start = ContinuousClock.now
    #expect(tally.popEvents(xruns: 0, at: start).isEmpty)
    tally.add(cycle("echo", 2000))
    #expect(
      tally.popEvents(xruns: 1, at: start) == [.xrun(total: 1, worst: cycle("echo", 2000))])
    tally.add(cycle("ring", 1_200_000, late: ["room", "hall"]))
    tally.add(cycle("echo", 3000))
    #expect(tally.popEvents(xruns: 40, at: start + .milliseconds(999)).isEmpty)
    #expect(
      tally.popEvents(xruns: 41, at: start + .seconds(1)).map(\.description) == [
        "xruns so far: 41; the rack took 120.0 % of a cycle:"
          + " ring 60.0 % (600 µs); no answer in time: room, hall"
      ])
    #expect(tally.popEvents(xruns: 41, at: start + .seconds(5)).isEmpty)
    #expect(
      tally.popEvents(xruns: 42, at: start + .seconds(5)) == [.xrun(total: 42, worst: nil)])
  }

  @Test func theAbsencesOfASecondAreASentenceAUnit() {
    var tally = FaultTally()
    let start = ContinuousClock.now
    tally.addAbsences(of: "room", count: 1)
    #expect(
      tally.popEvents(xruns: 0, at: start).map(\.description) == [
        "warning: room did not answer in time; its input was heard instead"
      ])
    tally.addAbsences(of: "room", count: 3)
    tally.addAbsences(of: "echo", count: 1)
    tally.addAbsences(of: "room", count: 4)
    #expect(tally.popEvents(xruns: 0, at: start + .milliseconds(999)).isEmpty)
    #expect(
      tally.popEvents(xruns: 0, at: start + .seconds(1)).map(\.description) == [
        "warning: echo did not answer in time; its input was heard instead",
        "warning: room did not answer in time, 7 times; its input was heard instead",
      ])
  }

  @Test func lostEventsAreCountedOnce() {
    var tally = FaultTally()
    let start = ContinuousClock.now
    tally.lostEvents = 2
    #expect(
      tally.popEvents(xruns: 0, midi: (lost: 3, malformed: 1), at: start) == [
        .warning("too many events at once: 5 lost"),
        .warning("1 MIDI messages were invalid and were ignored"),
      ])
    #expect(
      tally.popEvents(xruns: 0, midi: (lost: 3, malformed: 1), at: start + .seconds(2)).isEmpty)
    #expect(tally.events.lost == 5 && tally.events.malformed == 1)
  }

  /// The last xrun of another rack is removed.
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
