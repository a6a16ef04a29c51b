import Testing

@testable import backline

/// What the program shows while it plays.
struct DisplayTests {
  @Test func aBlockTallerThanTheTerminalIsCut() {
    let lines = (1...40).map { "line \($0)" } + ["Ctrl-C to stop"]
    let fitted = StatusDisplay.fitted(lines, height: 24)
    #expect(fitted.count == 23 && fitted.prefix(21) == lines.prefix(21))
    #expect(fitted.suffix(2) == ["... 19 more", "Ctrl-C to stop"])
    #expect(StatusDisplay.fitted(lines, height: 42) == lines)
    #expect(StatusDisplay.fitted(lines, height: 1).count == 3)
  }

  @Test func xrunsAreFolded() {
    let tally = XrunTally()
    #expect(tally.take() == nil)
    tally.add(total: 7, unit: "echo", nanoseconds: 90_000)
    tally.add(total: 8, unit: "drive", nanoseconds: 120_000)
    tally.add(total: 9, unit: nil, nanoseconds: 0)
    #expect(tally.take() == "3 xruns, 9 in all; longest in those cycles: drive, 120 µs")
    #expect(tally.take() == nil)
  }
}
