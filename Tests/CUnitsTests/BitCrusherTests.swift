import BacklineTestSupport
import Foundation
import Testing

@Suite struct BitCrusherTests {
  private let unit = BuiltInUnit("aufx/crsh/bkln")
  private let off: [String: Float] = ["bits": 24, "rate": 48_000]

  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: off.merging(parameters) { $1 })
  }

  @Test func bitsAndRateAtTheirTopChangeNothing() throws {
    let noise = Signals.noise(frames: 3000)
    #expect(try host([:]).render(inputs: [[noise]], frames: 3000)[0] == noise)
  }

  /// The nearest of 2^bits levels, none above the highest.
  @Test(arguments: [1, 3, 8, 16]) func levelsAreThoseOfTheQuantiser(bits: Int) throws {
    let noise = Signals.noise(frames: 3000)
    let levels = pow(2, Double(bits - 1))
    let expected = noise.map { sample in
      Float(
        min(max((Double(sample) * levels).rounded(.toNearestOrEven), -levels), levels - 1) / levels)
    }
    #expect(try host(["bits": Float(bits)]).render(inputs: [[noise]], frames: 3000)[0] == expected)
  }

  @Test func aFrameIsHeldForAPeriodOfTheRate() throws {
    let noise = Signals.noise(frames: 4800)
    let output = try host(["rate": 6000]).render(inputs: [[noise]], frames: 4800)[0]
    for (frame, sample) in output.enumerated() { #expect(sample == noise[frame / 8 * 8]) }
  }

  /// Half of a period at the most to each side, and the rate stays.
  @Test func jitterKeepsTheRate() throws {
    let noise = Signals.noise(frames: 48_000)
    let output = try host(["rate": 4000, "jitter": 100]).render(inputs: [[noise]], frames: 48_000)[
      0]
    let changes = output.indices.dropFirst().filter { output[$0] != output[$0 - 1] }
    let periods = zip(changes, changes.dropFirst()).map { $1 - $0 }
    #expect(periods.min() ?? 0 >= 6 && periods.max() ?? 0 <= 18 && Set(periods).count > 8)
    #expect(abs(Double(changes.count) - 4000) < 60)
  }

  /// A soft sound keeps more of itself on the µ-law's scale.
  @Test func theMuLawHasFinerLevelsNearSilence() throws {
    let soft = Signals.sine(frequency: 440, amplitude: 0.01, frames: 4800)
    let errors = try [0, 1].map { scale in
      let output = try host(["bits": 8, "scale": Float(scale)])
        .render(inputs: [[soft]], frames: 4800)[0]
      return zip(output, soft).map { abs($0 - $1) }.max() ?? 0
    }
    #expect(errors[1] < errors[0] / 8, "\(errors)")
  }
}
