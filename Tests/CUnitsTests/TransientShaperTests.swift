import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct TransientShaperTests {
  private func shaped(_ input: [Float], _ parameters: [String: Float]) throws -> [Float] {
    try BuiltInUnit("aufx/tran/bkln").host(parameters).play(input)
  }

  private func decibels(_ output: Float, over input: Float) -> Double {
    Level.decibels(Double(output / input))
  }

  /// Strokes of noise that decay.
  private static let drums: [Float] = {
    let noise = Signals.noise(frames: 48_000)
    return noise.indices.map { noise[$0] * Float(exp(-Double($0 % 12_000) / 2000)) }
  }()

  /// Both channels have the gain of the louder one.
  @Test func channelsAreLinked() throws {
    let host = try BuiltInUnit("aufx/tran/bkln").host(channels: 2, ["attack": 12, "sustain": 6])
    let soft = Signals.sine(frequency: 300, amplitude: 1e-4, frames: 24_000)
    let output = host.play([Array(Self.drums.prefix(24_000)), soft])
    let alone = try shaped(Array(Self.drums.prefix(24_000)), ["attack": 12, "sustain": 6])
    for frame in soft.indices where abs(soft[frame]) > 1e-5 && abs(Self.drums[frame]) > 1e-3 {
      let left = decibels(alone[frame], over: Self.drums[frame])
      #expect(abs(decibels(output[1][frame], over: soft[frame]) - left) < 0.1)
    }
  }

  @Test func atZeroNothingChanges() throws {
    #expect(try shaped(Self.drums, [:]) == Self.drums)
  }
}
