import BacklineTestSupport
import Testing
import UnitMeasurement

@Suite struct PhaserTests {
  private let unit = BuiltInUnit("aufx/phas/bkln")

  /// A sweep at 20 Hz with all feedback stays bounded.
  @Test func sweepsStayBounded() throws {
    let host = try unit.host(["rate": 20, "depth": 4, "feedback": -95, "stages": 4, "mix": 100])
    let output = host.play(Signals.noise(frames: 30_000))
    #expect(output.allSatisfy { abs($0) < 20 })
    #expect(output.contains { abs($0) > 0.1 })
  }

  /// Another number of stages comes in through silence of the copy, without a step.
  @Test func changingTheStagesDoesNotClick() throws {
    let host = try unit.host(["rate": 0.01, "stages": 1])
    let sine = Signals.sine(frequency: 100, frames: 20_000)
    let output = host.play(sine, events: [.parameter(host.address("stages"), 5, at: 9003)])
    let step: Float = 2 * .pi * 100 / 48_000 * Float(2).squareRoot()
    #expect(Signals.largestStep(output[2000...]) < step + 1 / 240)
  }
}
