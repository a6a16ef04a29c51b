import BacklineTestSupport
import Testing
import UnitMeasurement

@Suite struct BitCrusherTests {
  private func play(_ sound: [Float], _ parameters: [String: Float] = [:]) throws -> [Float] {
    let off: [String: Float] = ["bits": 24, "rate": 48_000]
    return try BuiltInUnit("aufx/crsh/bkln").host(off.merging(parameters) { $1 }).play(sound)
  }

  @Test func bitsAndRateAtTheirTopChangeNothing() throws {
    let noise = Signals.noise(frames: 3000)
    #expect(try play(noise) == noise)
  }

  @Test func aFrameIsHeldForAPeriodOfTheRate() throws {
    let noise = Signals.noise(frames: 4800)
    let output = try play(noise, ["rate": 6000])
    for (frame, sample) in output.enumerated() { #expect(sample == noise[frame / 8 * 8]) }
  }

  /// Jitter moves a frame by half of a period at the most to each side, and keeps the rate.
  @Test func jitterKeepsTheRate() throws {
    let output = try play(Signals.noise(frames: 48_000), ["rate": 4000, "jitter": 100])
    let changes = output.indices.dropFirst().filter { output[$0] != output[$0 - 1] }
    let periods = zip(changes, changes.dropFirst()).map { $1 - $0 }
    #expect(periods.min() ?? 0 >= 6 && periods.max() ?? 0 <= 18 && Set(periods).count > 8)
    #expect(abs(Double(changes.count) - 4000) < 60)
  }

  /// A soft sound keeps more of itself on the µ-law's scale.
  @Test func theMuLawHasFinerLevelsNearSilence() throws {
    let soft = Signals.sine(frequency: 440, amplitude: 0.01, frames: 4800)
    let errors = try ([0, 1] as [Float]).map { scale in
      Deviation.worst(of: try play(soft, ["bits": 8, "scale": scale]), from: soft)
    }
    #expect(errors[1] < errors[0] / 8, "\(errors)")
  }
}
