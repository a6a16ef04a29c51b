import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// A ratio that moves from 2 to 8, in both compressors, 20 dB above a hard threshold.
@Suite struct RatioTests {
  private static let frames = 9600
  private static let compressors: [(unit: String, parameters: [String: Float], ratio: String)] = [
    (
      "aufx/cmpr/bkln", ["threshold": -40, "ratio": 2, "knee": 0, "attack": 0.05, "release": 5],
      "ratio"
    ),
    (
      "aufx/mbnd/bkln",
      [
        "bands": 3, "crossover1": 20_000, "crossover2": 20_000, "knee": 0, "band1.threshold": -40,
        "band1.ratio": 2, "band1.attack": 0.1, "band1.release": 5,
      ], "band1.ratio"
    ),
  ]

  /// A knob glides by the slope, 3u² - 2u³ of the way; a line of a lane is where it shows.
  @Test(arguments: compressors.indices, [false, true])
  func aMovedRatioBeginsWhereItStands(index: Int, isLine: Bool) throws {
    let compressor = Self.compressors[index]
    let unit = BuiltInUnit(compressor.unit)
    let host = try UnitHost(
      unit.descriptor, inputChannels: index == 0 ? [1, 1] : [1], outputChannels: [1],
      parameters: compressor.parameters)
    let address = host.address(compressor.ratio)
    let event =
      isLine
      ? UnitHost.Event.parameter(address, 8, ramp: Self.frames, at: 0)
      : .knob(address, 8, frames: Self.frames, at: 0)
    let count = 2 * Self.frames
    let output = host.render(
      inputs: [[Signals.constant(0.1, frames: count)]], frames: count, events: [event])[0]
    // The level has settled by then.
    for frame in stride(from: 1440, to: count, by: 97) {
      let way = min(1, Double(frame) / Double(Self.frames))
      let slope = isLine ? 1 / (2 + 6 * way) : 0.5 - 0.375 * way * way * (3 - 2 * way)
      let heard = 20 * log10(Double(output[frame]))
      #expect(abs(heard + 20 + 20 * (1 - slope)) < 0.05, "frame \(frame)")
    }
  }
}
