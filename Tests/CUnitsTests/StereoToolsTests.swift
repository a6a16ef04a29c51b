import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct StereoToolsTests {
  private let unit = BuiltInUnit("aufx/ster/bkln")
  private let noise = [Signals.noise(frames: 6000, seed: 1), Signals.noise(frames: 6000, seed: 2)]

  @Test func theDefaultsChangeNothing() throws {
    let host = try UnitHost(unit.descriptor)
    #expect(identical(host.play(noise), noise))
  }

  @Test func aDelayComesToOneSide() throws {
    let late = try UnitHost(unit.descriptor, parameters: ["delay": -10])
    let output = late.play(noise)
    #expect(output[1] == noise[1])
    #expect(Array(output[0][480...]) == Array(noise[0][..<5520]))
    #expect(abs(late.tailTime - 0.01) < 1e-6)
  }

  @Test func theCorrelationIsReadOut() throws {
    let host = try UnitHost(unit.descriptor)
    let long = Signals.noise(frames: 96_000)
    _ = host.play([long, long])
    #expect(abs(host.value("correlation") - 1) < 1e-3)
    _ = host.play([long, long.map { -$0 }])
    #expect(abs(host.value("correlation") + 1) < 0.01)
  }

  /// A sine stays a sine while a switch or a knob moves: nothing above -80 dBc beside it.
  @Test(arguments: [("swap", 1, 0), ("mode", 1, 0), ("width", 0, 960), ("delay", 20, 960)])
  func nothingClicks(parameter: String, value: Float, ramp: Int) throws {
    let sine = Signals.sine(frequency: 1000, amplitude: 0.25, frames: 32_768)
    let host = try UnitHost(unit.descriptor)
    let output = host.play(
      [sine, sine.map { $0 / 2 }],
      events: [.parameter(host.address(parameter), value, ramp: ramp, at: 16_384)])[0]
    let spurs = [3000.0, 5000, 9000, 15_000, 20_000].map { frequency in
      Spectrum.amplitude(hann(output), at: frequency)
    }
    #expect(spurs.allSatisfy { $0 < 0.25e-4 }, "\(spurs)")
  }

  private func hann(_ signal: [Float]) -> [Float] {
    signal.enumerated().map { index, sample in
      sample * Float(1 - cos(2 * .pi * Double(index) / Double(signal.count)))
    }
  }
}
