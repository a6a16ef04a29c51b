import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct TransientShaperTests {
  private func shaped(_ input: [Float], _ parameters: [String: Float]) throws -> [Float] {
    try BuiltInUnit("aufx/tran/bkln").host(parameters).play(input)
  }

  private func decibels(_ output: Float, over input: Float) -> Double {
    20 * log10(Double(output / input))
  }

  /// A sound that begins: its follower is 1 - exp(-t/τ) of it, and the gain the knob's part of that
  /// in dB, whole at 12 dB.
  @Test(arguments: [Float(-15), -6, 6, 15], [Float(5), 20, 100])
  func attackFollowsItsFormula(amount: Float, time: Float) throws {
    let output = try shaped(
      Signals.constant(0.1, frames: 9600), ["attack": amount, "attack_time": time])
    for frame in stride(from: 0, to: 9600, by: 37) {
      let rest = exp(-Double(frame + 1) / 48 / Double(time))
      let expected = Double(amount) * min(1, -20 * log10(1 - rest) / 12)
      #expect(abs(decibels(output[frame], over: 0.1) - expected) < 0.01)
    }
  }

  /// A sound that falls by 8 dB: the level does so within twice 12.5 ms; its follower is left
  /// s + (1 - s) exp(-t/τ) of what it was.
  @Test(arguments: [Float(-15), -6, 6, 15], [Float(100), 300])
  func sustainFollowsItsFormula(amount: Float, time: Float) throws {
    let soft = pow(10, -8 / 20.0)
    let input = Signals.constant(1, frames: 9600) + Signals.constant(Float(soft), frames: 48_000)
    let output = try shaped(input, ["sustain": amount, "sustain_time": time])
    for frame in stride(from: 1200, to: 48_000, by: 437) {
      // Between the start of the fall and its end.
      let seconds = (Double(frame) / 48 - 18) / 1000
      let above = 20 * log10(soft + (1 - soft) * exp(-seconds * 1000 / Double(time))) + 8
      let expected = Double(amount) * above / 12
      #expect(abs(decibels(output[9600 + frame], over: Float(soft)) - expected) < 0.1)
    }
  }

  /// Strokes of noise that decay.
  private static let drums: [Float] = {
    let noise = Signals.noise(frames: 48_000)
    return noise.indices.map { noise[$0] * Float(exp(-Double($0 % 12_000) / 2000)) }
  }()

  @Test(arguments: [Float(-20), -40]) func theGainDoesNotDependOnTheLevel(level: Float) throws {
    let settings: [String: Float] = ["attack": 12, "sustain": -12]
    let factor = Float(pow(10, level / 20))
    let soft = Self.drums.map { $0 * factor }
    let loudly = try shaped(Self.drums, settings)
    let softly = try shaped(soft, settings)
    var gains: ClosedRange<Double> = 0...0
    for frame in soft.indices where abs(Self.drums[frame]) > 1e-3 {
      let gain = decibels(loudly[frame], over: Self.drums[frame])
      #expect(abs(gain - decibels(softly[frame], over: soft[frame])) < 0.2)
      gains = min(gains.lowerBound, gain)...max(gains.upperBound, gain)
    }
    #expect(abs(gains.lowerBound + 12) < 0.1 && abs(gains.upperBound - 12) < 0.1)
  }

  @Test(arguments: [40.0, 100, 1000]) func aSteadySoundStaysAsItIs(frequency: Double) throws {
    let input = Signals.sine(frequency: frequency, amplitude: 0.25, frames: 144_000)
    let output = try shaped(input, ["attack": 15, "sustain": 15])
    let largest = zip(input, output).suffix(24_000).map { abs($0 - $1) }.max() ?? 1
    #expect(largest < 0.25 * 1e-3)
  }

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
