import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct ParametricEQTests {
  private let unit = BuiltInUnit("aufx/eqpm/bkln")

  @Test func neutralBandsLetEveryBitThrough() throws {
    let host = try unit.host(channels: 2, ["band4.on": 0, "band4.type": 5])
    let signals = [Signals.noise(frames: 2000), Signals.noise(frames: 2000, seed: 2)]
    #expect(identical(host.play(signals), signals))
  }

  /// What a band changes of left and right, as a matrix.
  @Test(
    arguments: [
      (1, [0.5, 0.5, 0.5, 0.5]), (2, [0.5, -0.5, -0.5, 0.5]), (3, [1, 0, 0, 0]), (4, [0, 0, 0, 1]),
    ] as [(Float, [Float])])
  func placementsChooseWhatABandHears(_ placement: Float, matrix: [Float]) throws {
    let parameters: [String: Float] = ["band5.gain": 12, "band5.frequency": 1000]
    let placed = parameters.merging(["band5.placement": placement]) { $1 }
    let signals = [Signals.noise(frames: 1000), Signals.noise(frames: 1000, seed: 2)]
    let rendered = try unit.host(channels: 2, placed).play(signals)
    let all = try unit.host(channels: 2, parameters).play(signals)
    for frame in 0..<1000 {
      let change = (0...1).map { all[$0][frame] - signals[$0][frame] }
      for channel in 0...1 {
        let own = matrix[2 * channel] * change[0]
        let other = matrix[2 * channel + 1] * change[1]
        let expected = signals[channel][frame] + own + other
        #expect(abs(rendered[channel][frame] - expected) < 1e-6)
      }
    }
  }

  /// From 20 Hz to 20 kHz in 10 ms, with a boost of 12 dB.
  @Test func aSweepStaysBelowTheBandsPeak() throws {
    let host = try unit.host(["band1.gain": 12, "band1.frequency": 20, "band1.q": 2])
    let events = [
      UnitHost.Event.parameter(host.address("band1.frequency"), 20_000, ramp: 480, at: 4800),
      UnitHost.Event.parameter(host.address("band1.frequency"), 20, ramp: 480, at: 9600),
    ]
    let peak = Level.peak(host.play(Signals.sine(frequency: 5000, frames: 14_400), events: events))
    #expect(peak > 6.02 && peak < 13)
  }

  /// Switches fade: beside a sine at 1 kHz nothing is heard above -70 dB.
  @Test(arguments: [("on", 0), ("type", 1), ("type", 3), ("placement", 2)] as [(String, Float)])
  func switchesDoNotClick(_ name: String, value: Float) throws {
    let identifier = "band4.\(name)"
    let host = try unit.host(["band4.frequency": 900, "band4.gain": 9])
    let event = UnitHost.Event.parameter(host.address(identifier), value, ramp: 0, at: 4000)
    let rendered = host.play(Signals.sine(frequency: 1000, frames: 9600), events: [event])
    // Blackman and Harris's window.
    let windowed: [Float] = (0..<4800).map { frame in
      let x = 2 * Double.pi * Double(frame) / 4800
      let outer: Double = 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x)
      let window: Double = 0.35875 - 0.48829 * cos(x) + outer
      return rendered[2400 + frame] * Float(window)
    }
    let carrier = Spectrum.amplitude(windowed, at: 1000)
    for frequency in stride(from: 2500.0, to: 20_000, by: 1170) {
      #expect(Spectrum.amplitude(windowed, at: frequency) < carrier * 3e-4, "\(frequency) Hz")
    }
  }

  /// Boosted again in silence, a band does not play what it heard before.
  @Test func aBandComesInFromRest() throws {
    let host = try unit.host(["band1.gain": 12, "band1.q": 10])
    let gain = host.address("band1.gain")
    let signal = Signals.sine(frequency: 40, frames: 4800) + Signals.constant(0, frames: 4800)
    let rendered = host.play(
      signal, events: [.parameter(gain, 0, at: 4000), .parameter(gain, 12, at: 6000)])
    #expect(rendered.suffix(4500).allSatisfy { $0 == 0 })
  }
}
