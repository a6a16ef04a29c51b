import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct RotaryTests {
  private let unit = BuiltInUnit("aufx/rota/bkln")

  /// After its time the horn has made 63 % of the way from slow to fast, to 4.53 Hz.
  @Test func rotorsTakeTheirTime() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["speed": 1, "balance": 24, "angle": 0])
    let frames = 48_000
    let sine = Signals.sine(frequency: 3000, frames: frames)
    let output = host.play(
      [sine, sine], events: [.parameter(host.address("speed"), 2, at: 0)])
    // The level has its crests where the horn faces the microphone: whole turns of the closed form.
    func turns(_ time: Double) -> Double { 6.7 * time - 5.9 * 0.35 * (1 - exp(-time / 0.35)) }
    let levels = stride(from: 0, to: frames, by: 48).map { start in
      output[0][start..<(start + 48)].map(abs).max() ?? 0
    }
    let crests = (20..<(levels.count - 20)).filter { index in
      levels[index] == levels[(index - 20)...(index + 20)].max()
    }
    #expect(crests.count >= 3)
    for crest in crests {
      let turned = turns((Double(crest) + 0.5) / 1000)
      #expect(abs(turned - turned.rounded()) < 0.03, "\(crest) ms")
    }
  }
}
