import Testing

@testable import RackEngine

struct AbsenceTallyTests {
  @Test func theAbsencesOfASecondAreASentenceAUnit() {
    var tally = AbsenceTally()
    let start = ContinuousClock.now
    #expect(tally.tell(at: start).isEmpty)
    tally.note(unit: "room", count: 1)
    #expect(
      tally.tell(at: start).map(\.description) == [
        "warning: room did not answer in time; its input was heard instead"
      ])
    tally.note(unit: "room", count: 3)
    tally.note(unit: "echo", count: 1)
    tally.note(unit: "room", count: 4)
    #expect(tally.tell(at: start + .milliseconds(999)).isEmpty)
    #expect(
      tally.tell(at: start + .seconds(1)).map(\.description) == [
        "warning: echo did not answer in time; its input was heard instead",
        "warning: room did not answer in time, 7 times; its input was heard instead",
      ])
    #expect(tally.tell(at: start + .seconds(5)).isEmpty)
  }
}
