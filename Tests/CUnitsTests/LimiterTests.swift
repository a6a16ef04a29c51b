import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct LimiterTests {
  private let unit = BuiltInUnit("aufx/limt/bkln")

  /// The reduction falls exponentially in dB, long after the look-ahead's averages.
  @Test func releaseTakesItsTime() throws {
    let host = try unit.host(["ceiling": -12, "release": 50, "auto_release": 0])
    let input =
      Signals.sine(frequency: 1000, frames: 4800)
      + Signals.sine(frequency: 1000, amplitude: 0.01, frames: 9600)
    let output = host.play(input)
    func reduction(_ frame: Int) -> Double {
      20 * log10(Double(input[frame - host.latency] / output[frame]))
    }
    // Crests of the soft tone, 40 ms apart.
    let crest = 4800 + host.latency + 12
    let ratio = reduction(crest + 48 * 70) / reduction(crest + 48 * 30)
    #expect(abs(ratio - exp(-40.0 / 50)) < 0.01)
  }

  /// The release follows what a crest needs beyond 3 dB (Punch) or 24 dB (Soft Clip).
  @Test(arguments: [(0, 12.05), (1, 9.05), (2, 0)] as [(Float, Double)])
  func theModesLeaveCrestsToDips(mode: Float, released: Double) throws {
    let host = try unit.host(["ceiling": -12, "release": 50, "auto_release": 0, "mode": mode])
    let input =
      Signals.sine(frequency: 1000, frames: 4800)
      + Signals.sine(frequency: 1000, amplitude: 0.01, frames: 4800)
    let output = host.play(input)
    // Loud crests are 12.05 dB down, as the margin adds 0.05 dB.
    #expect(abs(Double(output[2400..<4800].max() ?? 0) - Level.amplitude(-12.05)) < 1e-4)
    // 40 ms after the last crest: its reduction was held for 10 ms and 2 frames, and the averages
    // of 146 frames are, for an exponential decay, as its value in their middle.
    let frame = 4800 + host.latency + 12 + 40 * 48
    let last = Double(4800 - 12)
    let since = (Double(frame) - 72 + 14 - last - 482) / 48
    let reduction = 20 * log10(Double(input[frame - host.latency] / output[frame]))
    #expect(abs(reduction - released * exp(-since / 50)) < 0.05 + 0.03 * released)
  }

  @Test func linkTurnsBothSidesDown() throws {
    for link in [0, 100] as [Float] {
      let host = try unit.host(channels: 2, ["link": link, "ceiling": -12])
      let loud = Signals.sine(frequency: 1000, frames: 2400)
      let soft = Signals.sine(frequency: 1000, amplitude: 0.1, frames: 2400)
      let output = host.play([loud, soft])
      let highest = output[1][1200...].max() ?? 0
      let expected = link == 0 ? 0.1 : 0.1 * Float(Level.amplitude(-12.05))
      #expect(abs(highest - expected) < 0.001)
      #expect(link == 0 || host.value("gain_reduction") > 1)
    }
  }
}
