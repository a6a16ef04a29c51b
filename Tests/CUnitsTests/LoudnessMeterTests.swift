import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct LoudnessMeterTests {
  private let unit = BuiltInUnit("aufx/lufs/bkln")

  private func tone(_ level: Double, seconds: Int = 1) -> [Float] {
    Signals.sine(frequency: 1000, amplitude: Level.amplitude(level), frames: seconds * 48_000)
  }

  /// Front, LFE, rear, side: the weights in ITU-R BS.1770 of the channels of 5.1, quad and 7.1.
  @Test(
    arguments: [
      [-28, -28, -24, -3, -30, -30], [-29, -29, -30.5, -30.5],
      [-29, -29, -29, -3, -29, -29, -32, -32],
    ] as [[Double]])
  func surroundChannelsCountMore(levels: [Double]) throws {
    let isQuad = levels.count == 4
    let powers = levels.enumerated().map { channel, level in
      let isSide = channel + 2 >= levels.count
      let weight = !isQuad && channel == 3 ? 0 : isSide ? 1.41 : 1
      // A full-scale sine in one channel has a loudness of -3.01 LUFS.
      return weight * pow(10, (level - 3.0103) / 10)
    }
    let host = try unit.host(channels: levels.count)
    let channels = levels.map { tone($0) }
    #expect(identical(host.play(channels), channels))
    let loudness = 10 * log10(powers.reduce(0, +))
    #expect(abs(Double(host.value("integrated")) - loudness) < 0.05)
  }

  @Test func theDistanceIsThatFromTheTarget() throws {
    let host = try unit.host(["target": -14])
    #expect(host.value("plr") == 0 && host.value("distance") == 0)
    _ = host.play(tone(-20, seconds: 2))
    #expect(abs(host.value("distance") - (-23.01 + 14)) < 0.05)
    host.set("target", -23)
    #expect(abs(host.value("distance")) < 0.05)
  }

  @Test func resetBeginsAnew() throws {
    let host = try unit.host()
    _ = host.play(
      tone(0) + tone(-20), events: [.parameter(host.address("reset"), 1, at: 48_100)])
    #expect(abs(host.value("integrated") + 23.01) < 0.05)
    #expect(abs(host.value("true_peak") + 20) < 0.05)
    host.reset()
    #expect(host.value("integrated") == -100 && host.value("true_peak") == -100)
  }
}
