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

  /// Both channels have the gain of the louder one.
  @Test func channelsAreLinked() throws {
    let host = try BuiltInUnit("aufx/tran/bkln").host(channels: 2, ["attack": 12, "sustain": 6])
    let soft = Signals.sine(frequency: 300, amplitude: 1e-4, frames: 24_000)
    let drums = Array(Signals.strokes.prefix(24_000))
    let output = host.play([drums, soft])
    let alone = try shaped(drums, ["attack": 12, "sustain": 6])
    for frame in soft.indices where abs(soft[frame]) > 1e-5 && abs(drums[frame]) > 1e-3 {
      let left = decibels(alone[frame], over: drums[frame])
      #expect(abs(decibels(output[1][frame], over: soft[frame]) - left) < 0.1)
    }
  }

  @Test func atZeroNothingChanges() throws {
    #expect(try shaped(Signals.strokes, [:]) == Signals.strokes)
  }
}
