import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct DeEsserTests {
  private let unit = BuiltInUnit("aufx/dees/bkln")

  /// From silence into a tone of the high band: the measure is relative, so that it is there at
  /// once, and only the attack takes time.
  @Test func attackTakesItsTime() throws {
    let tone = Signals.sine(frequency: 12_000, amplitude: 0.5, frames: 12_000)
    let steady = try unit.host(["range": 0]).play(tone)
    let output = try unit.host(["range": 12, "attack": 5]).play(tone)
    // 12 kHz is a quarter of the rate: every second frame is a crest.
    for frame in [120, 240, 480] {
      let crest = abs(steady[frame]) > abs(steady[frame + 1]) ? frame : frame + 1
      let reduction = Level.decibels(Double(steady[crest] / output[crest]))
      #expect(abs(reduction - 12 * (1 - exp(-Double(crest) / 240))) < 0.6)
    }
  }
}
