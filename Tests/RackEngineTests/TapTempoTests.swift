import Testing

@testable import RackEngine

struct TapTempoTests {
  @Test func itIsTheMeanOfTheLastFewBeats() {
    var taps = TapTempo()
    #expect(taps.tap(at: 10) == nil)
    #expect(taps.tap(at: 10.02) == nil)
    #expect(taps.tap(at: 10.5) == 120)
    #expect(taps.tap(at: 11.25) == 60 * 2 / 1.25)
    // Taps before the last five no longer count.
    for beat in 0..<6 { _ = taps.tap(at: 12 + Double(beat)) }
    #expect(taps.tap(at: 18) == 60)
  }

  @Test func aPauseBeginsAnew() {
    var taps = TapTempo()
    _ = taps.tap(at: 0)
    _ = taps.tap(at: 1)
    #expect(taps.tap(at: 4) == nil)
    #expect(taps.tap(at: 4.25) == 240)
  }
}
