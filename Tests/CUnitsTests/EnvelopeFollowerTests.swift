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
    let output = host.render(
      inputs: [channels], frames: channels[0].count, blockSizes: blocks)
    #expect(output.count == 1)
    return output[0]
  }

  /// Up by 1 - exp(-t / attack); 10 ms after the end of the sound down by exp(-t / release).
  @Test(arguments: [0.1, 10, 300] as [Float], [1, 40, 1000] as [Float])
  func aStepIsFollowed(attack: Float, release: Float) throws {
    let length = 96_000
    let step = Signals.constant(-0.25, frames: length) + Signals.constant(0, frames: length)
    let output = try followed(
      [step], ["sensitivity": -6, "attack": attack, "release": release])
    let full = 0.25 * pow(10, 6.0 / 20)
    let up = Double(attack) * 48
    let down = Double(release) * 48
    for frame in stride(from: 0, to: length, by: 13) {
      let expected = full * (1 - exp(-Double(frame + 1) / up))
      #expect(abs(Double(output[frame]) - expected) < 1e-4, "frame \(frame)")
      let top = full * (1 - exp(-Double(length + 480) / up))
      let fallen = top * exp(-Double(max(0, frame + 1 - 480)) / down)
      #expect(frame < 480 || abs(Double(output[length + frame]) - fallen) < 1e-4, "\(frame)")
    }
  }

  /// Both detectors are flat once they have settled, whatever the times.
  @Test(arguments: [41.2, 60, 100, 1000, 9000], [(1, 50), (5, 200), (50, 50)] as [(Float, Float)])
  func aSineHasItsLevel(frequency: Double, times: (attack: Float, release: Float)) throws {
    let sine = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 96_000)
    for (detector, expected) in [(0, 0.5), (1, 0.5 / 2.0.squareRoot())] as [(Float, Double)] {
      let output = try followed(
        [sine], ["detector": detector, "attack": times.attack, "release": times.release])
      // Below 50 Hz a peak is let go before the next.
      guard detector == 1 || frequency > 50 || times.release >= 200 else { continue }
      let settled = output.suffix(24_000).map(Double.init)
      #expect(settled.allSatisfy { abs($0 / expected - 1) < 0.05 }, "detector \(detector)")
    }
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
        #expect(
          identical([try followed(noise, ["detector": detector], blocks: blocks)], [whole]))
      }
    }
  }
}
