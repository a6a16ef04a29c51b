import Testing

@testable import RackEngine

struct XrunTallyTests {
  @Test func theXrunsOfASecondAreOneEvent() {
    var tally = XrunTally()
    let start = ContinuousClock.now
    #expect(tally.tell(total: 0, at: start) == nil)
    tally.note(longestUnit: "echo", nanoseconds: 2000)
    #expect(
      tally.tell(total: 1, at: start) == .xrun(total: 1, longestUnit: "echo", nanoseconds: 2000))
    tally.note(longestUnit: "ring", nanoseconds: 9000)
    tally.note(longestUnit: "echo", nanoseconds: 3000)
    #expect(tally.tell(total: 40, at: start + .milliseconds(999)) == nil)
    #expect(
      tally.tell(total: 41, at: start + .seconds(1))
        == .xrun(total: 41, longestUnit: "ring", nanoseconds: 9000))
    #expect(tally.tell(total: 41, at: start + .seconds(5)) == nil)
    #expect(
      tally.tell(total: 42, at: start + .seconds(5))
        == .xrun(total: 42, longestUnit: nil, nanoseconds: 0))
  }
}
