import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct PhaserTests {
  private let unit = BuiltInUnit("aufx/phas/bkln")

  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: parameters)
  }

  /// x + A / (1 - feedback · A), each with √½, where A is a chain of (1 - s) / (1 + s).
  @Test(
    arguments: [(0, 2, 0), (1, 4, 0.7), (2, 6, -0.4), (3, 8, 0.5), (4, 12, -0.8)]
      as [(Float, Int, Double)])
  func standsAsItsFormula(choice: Float, stages: Int, feedback: Double) throws {
    let host = try host([
      "stages": choice, "center": 800, "depth": 0, "feedback": Float(feedback * 100),
    ])
    let response = host.render(inputs: [[Signals.impulse(frames: 20_000)]], frames: 20_000)[0]
    for frequency in [30.0, 200, 700, 1500, 6000, 18_000] {
      let s = Phasor(0, tan(.pi * frequency / 48_000) / tan(.pi * 800 / 48_000))
      var chain = Phasor(1)
      for _ in 0..<stages { chain = chain * (Phasor(1) - s) / (Phasor(1) + s) }
      let expected = Phasor(1) + chain / (Phasor(1) - Phasor(feedback) * chain)
      let measured = Spectrum.transform(response, at: frequency).magnitude
      #expect(abs(measured - expected.magnitude * 0.5.squareRoot()) < 2e-4, "\(frequency) Hz")
    }
  }

  /// A sweep at 20 Hz with all feedback stays bounded.
  @Test func sweepsStayBounded() throws {
    let host = try host(["rate": 20, "depth": 4, "feedback": -95, "stages": 4, "mix": 100])
    let output = host.render(inputs: [[Signals.noise(frames: 30_000)]], frames: 30_000)[0]
    #expect(output.allSatisfy { abs($0) < 20 })
    #expect(output.contains { abs($0) > 0.1 })
  }

  /// Another number of stages comes in through silence of the copy, without a step.
  @Test func changingTheStagesDoesNotClick() throws {
    let host = try host(["rate": 0.01, "stages": 1])
    let sine = Signals.sine(frequency: 100, frames: 20_000)
    let output = host.render(
      inputs: [[sine]], frames: 20_000, events: [.parameter(host.address("stages"), 5, at: 9003)])
    let step: Float = 2 * .pi * 100 / 48_000 * Float(2).squareRoot()
    #expect(Signals.largestStep(output[0][2000...]) < step + 1 / 240)
  }
}
