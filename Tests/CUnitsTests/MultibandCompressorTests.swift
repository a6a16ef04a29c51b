import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct MultibandCompressorTests {
  private let unit = BuiltInUnit("aufx/mbnd/bkln")

  /// A tone's own wave, and no more, while bands come and go, are heard alone or passed by.
  @Test(
    arguments: [("bands", 5), ("bands", 3), ("band2.solo", 1), ("band3.bypass", 1)]
      as [(String, Float)])
  func switchesDoNotClick(switched: String, value: Float) throws {
    let host = try unit.host(["band3.make_up": 6])
    let tone = Signals.sine(frequency: 1000, amplitude: 0.1, frames: 9600)
    let event = UnitHost.Event.parameter(host.address(switched), value, at: 4801)
    let output = host.play(tone, events: [event])
    // What is left after the second difference of a sine is taken from it.
    let curvature = Float(2 * (1 - cos(2 * Double.pi * 1000 / 48_000)))
    let bends = (4700..<6000).map { (frame: Int) -> Float in
      let bend = output[frame + 1] - 2 * output[frame] + output[frame - 1]
      return abs(bend + curvature * output[frame])
    }
    #expect((bends.max() ?? 1) < 0.001)
  }

  @Test func channelsAreTurnedDownAsOne() throws {
    let host = try unit.host(channels: 3, ["band3.ratio": 10, "band3.threshold": -24])
    let loud = Signals.sine(frequency: 1500, amplitude: 0.8, frames: 9600)
    let soft = loud.map { $0 * 0.01 }
    let levels = host.play([soft, soft, loud]).map { Level.rms($0.suffix(4800)) }
    for level in levels.prefix(2) { #expect(abs(levels[2] - level - 40) < 0.001) }
    #expect(levels[2] < Level.rms(loud) - 10)
  }
}
