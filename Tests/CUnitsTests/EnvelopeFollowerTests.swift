import BacklineTestSupport
import Foundation
import Testing

@Suite struct EnvelopeFollowerTests {
  private let unit = BuiltInUnit("aufx/envf/bkln")

  private func followed(
    _ channels: [[Float]], _ parameters: [String: Float], blocks: [Int] = [512]
  ) throws -> [Float] {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [channels.count], parameters: parameters)
    let output = host.render(inputs: [channels], frames: channels[0].count, blockSizes: blocks)
    #expect(output.count == 1)
    return output[0]
  }

  /// The mean square, smoothed twice by 7 ms: a step comes by the root of 1 - (1 + t/T) exp(-t/T).
  @Test func theMeanSquareHasItsTime() throws {
    let output = try followed(
      [Signals.constant(0.5, frames: 9600)], ["detector": 1, "attack": 0.1])
    for frame in stride(from: 100, to: 9600, by: 17) {
      let times = Double(frame + 1) / 336
      let expected = 0.5 * (1 - (1 + times) * exp(-times)).squareRoot()
      #expect(abs(Double(output[frame]) / expected - 1) < 0.05, "frame \(frame)")
    }
  }

  @Test func theLoudestChannelCountsOrTheMeanOfAll() throws {
    let channels = [0.1, -0.6, 0.2].map { Signals.constant($0, frames: 24_000) }
    let peak = try followed(channels, ["attack": 1])
    #expect(abs((peak.last ?? 0) - 0.6) < 1e-4)
    let mean = try followed(channels, ["attack": 1, "detector": 1])
    let expected = Float((0.01 + 0.36 + 0.04) / 3).squareRoot()
    #expect(abs((mean.last ?? 0) - expected) < 1e-4)
  }

  @Test func theSensitivityGivesOneAndNothingMore() throws {
    let at = try followed([Signals.constant(0.1, frames: 9600)], ["sensitivity": -20])
    #expect(abs((at.last ?? 0) - 1) < 1e-4)
    let above = try followed([Signals.constant(3, frames: 9600)], ["sensitivity": -60])
    #expect(above.allSatisfy { 0...1 ~= $0 })
  }

  @Test func cyclesOfAnyLengthGiveTheSame() throws {
    let noise = (1...2).map { Signals.noise(frames: 9000, seed: UInt64($0)) }
    for detector in [0, 1] as [Float] {
      let whole = try followed(noise, ["detector": detector], blocks: [4096])
      for blocks in [[1], [64], [17, 480]] {
        #expect(identical([try followed(noise, ["detector": detector], blocks: blocks)], [whole]))
      }
    }
  }
}
