import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// Against the analogue prototypes of Robert Bristow-Johnson's cookbook.
@Suite struct ParametricEQTests {
  private let unit = BuiltInUnit("aufx/eqpm/bkln")

  /// A band's type by its index, and its response with A = √gain.
  private struct Prototype: Sendable, CustomTestStringConvertible {
    var name: String
    var type: Float
    var numerator: @Sendable (_ q: Double, _ a: Double) -> [Double]
    var denominator: @Sendable (_ q: Double, _ a: Double) -> [Double]
    var testDescription: String { name }

    func magnitude(at frequency: Double, cutoff: Double, q: Double, gain: Double) -> Double {
      let s = Phasor(0, frequency / cutoff)
      let a = pow(10, gain / 40)
      func value(_ c: [Double]) -> Phasor {
        Phasor(c[0]) * s * s + Phasor(c[1]) * s + Phasor(c[2])
      }
      return (value(numerator(q, a)) / value(denominator(q, a))).magnitude
    }
  }

  private static let plain: @Sendable (Double, Double) -> [Double] = { q, _ in [1, 1 / q, 1] }
  private static let prototypes = [
    Prototype(name: "bell", type: 0) { q, a in
      [1, a / q, 1]
    } denominator: { q, a in
      [1, 1 / (a * q), 1]
    },
    Prototype(name: "low shelf", type: 1) { q, a in
      [a, pow(a, 1.5) / q, a * a]
    } denominator: {
      q, a in
      [a, a.squareRoot() / q, 1]
    },
    Prototype(name: "high shelf", type: 2) { q, a in
      [a * a, pow(a, 1.5) / q, a]
    } denominator: {
      q, a in
      [1, a.squareRoot() / q, a]
    },
    Prototype(name: "low cut", type: 3, numerator: { _, _ in [1, 0, 0] }, denominator: plain),
    Prototype(name: "high cut", type: 4, numerator: { _, _ in [0, 0, 1] }, denominator: plain),
    Prototype(name: "notch", type: 5, numerator: { _, _ in [1, 0, 1] }, denominator: plain),
    Prototype(
      name: "band-pass", type: 6, numerator: { q, _ in [0, 1 / q, 0] }, denominator: plain),
    Prototype(name: "tilt", type: 7) { q, a in
      [a * a, a / q, 1]
    } denominator: { q, a in
      [1, a / q, a * a]
    },
    Prototype(
      name: "all-pass", type: 8, numerator: { _, _ in [1, 0, 1] },
      denominator: { _, _ in [1, 0, 1] }),
  ]

  private func impulse(_ parameters: [String: Float], rate: Double = 48_000) throws -> [Float] {
    let host = try UnitHost(
      unit.descriptor, sampleRate: rate, inputChannels: [1], outputChannels: [1],
      parameters: parameters)
    return host.render(inputs: [[Signals.impulse(frames: 24_000)]], frames: 24_000)[0]
  }

  @Test(arguments: prototypes.indices, [(120, 1, 12), (3000, 0.5, -9), (12_000, 1, 18)])
  func bandsRespondLikeTheirPrototypes(_ index: Int, setting: (Double, Double, Double)) throws {
    let prototype = Self.prototypes[index]
    let (cutoff, q, gain) = setting
    for rate in [44_100.0, 48_000, 192_000] {
      let impulse = try impulse(
        [
          "band3.type": prototype.type, "band3.frequency": Float(cutoff), "band3.q": Float(q),
          "band3.gain": Float(gain),
        ], rate: rate)
      for frequency in [40, 90, 1000, 3500, 8000, 11_000, 14_000, 16_400] as [Double] {
        let measured = Spectrum.transform(impulse, at: frequency, sampleRate: rate).magnitude
        let expected = prototype.magnitude(at: frequency, cutoff: cutoff, q: q, gain: gain)
        #expect(
          abs(20 * log10(measured / expected)) < 0.05, "\(prototype.name), \(frequency) Hz")
      }
    }
  }

  /// Where no filter meets four frequencies, the one that meets three is still near: Q and centre near
  /// half the sample rate.
  @Test(arguments: [
    (1, 15_885, 2, 18), (2, 22_000, 2, 6), (1, 12_617, 1.41, 24), (7, 12_617, 1.41, -12),
    (2, 12_170, 10, -24), (6, 22_000, 10, 0),
  ])
  func hardSettingsAreNear(type: Int, cutoff: Double, q: Double, gain: Double) throws {
    let impulse = try impulse([
      "band3.type": Float(type), "band3.frequency": Float(cutoff), "band3.q": Float(q),
      "band3.gain": Float(gain),
    ])
    for frequency in stride(from: 1000.0, through: 18_000, by: 500) {
      let measured = Spectrum.transform(impulse, at: frequency).magnitude
      let expected = Self.prototypes[type].magnitude(
        at: frequency, cutoff: Double(Float(cutoff)), q: Double(Float(q)), gain: gain)
      #expect(abs(20 * log10(measured / expected)) < 0.05, "\(frequency) Hz")
    }
  }

  @Test func bandsMultiply() throws {
    typealias Setting = (type: Int, cutoff: Double, q: Double, gain: Double)
    let settings: [Setting] = [
      (3, 30, 0.7, 0), (1, 120, 0.7, -6), (0, 400, 3, 9), (0, 900, 8, -15), (0, 2000, 0.5, 4),
      (0, 5000, 2, -3), (2, 9000, 0.7, 8), (4, 16_000, 0.9, 0),
    ]
    var parameters: [String: Float] = ["output": -2]
    for (band, setting) in settings.enumerated() {
      parameters["band\(band + 1).type"] = Float(setting.type)
      parameters["band\(band + 1).frequency"] = Float(setting.cutoff)
      parameters["band\(band + 1).q"] = Float(setting.q)
      parameters["band\(band + 1).gain"] = Float(setting.gain)
    }
    let impulse = try impulse(parameters)
    for frequency in [45.0, 130, 420, 900, 2100, 5000, 9500, 15_000] {
      var expected = pow(10, -0.1)
      for setting in settings {
        expected *= Self.prototypes[setting.type].magnitude(
          at: frequency, cutoff: setting.cutoff, q: setting.q, gain: setting.gain)
      }
      let measured = Spectrum.transform(impulse, at: frequency).magnitude
      #expect(abs(20 * log10(measured / expected)) < 0.05, "\(frequency) Hz")
    }
  }

  @Test func neutralBandsLetEveryBitThrough() throws {
    let host = try UnitHost(unit.descriptor, parameters: ["band4.on": 0, "band4.type": 5])
    let signals = [Signals.noise(frames: 2000), Signals.noise(frames: 2000, seed: 2)]
    #expect(identical(host.render(inputs: [signals], frames: 2000), signals))
  }

  /// What a band changes of left and right, as a matrix.
  @Test(
    arguments: [
      (1, [0.5, 0.5, 0.5, 0.5]), (2, [0.5, -0.5, -0.5, 0.5]), (3, [1, 0, 0, 0]), (4, [0, 0, 0, 1]),
    ] as [(Float, [Float])])
  func placementsChooseWhatABandHears(_ placement: Float, matrix: [Float]) throws {
    let parameters: [String: Float] = ["band5.gain": 12, "band5.frequency": 1000]
    let host = try UnitHost(
      unit.descriptor, parameters: parameters.merging(["band5.placement": placement]) { $1 })
    let stereo = try UnitHost(unit.descriptor, parameters: parameters)
    let signals = [Signals.noise(frames: 1000), Signals.noise(frames: 1000, seed: 2)]
    let rendered = host.render(inputs: [signals], frames: 1000)
    let all = stereo.render(inputs: [signals], frames: 1000)
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
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["band1.gain": 12, "band1.frequency": 20, "band1.q": 2])
    let events = [
      UnitHost.Event.parameter(host.address("band1.frequency"), 20_000, ramp: 480, at: 4800),
      UnitHost.Event.parameter(host.address("band1.frequency"), 20, ramp: 480, at: 9600),
    ]
    let signal = Signals.sine(frequency: 5000, frames: 14_400)
    let rendered = host.render(inputs: [[signal]], frames: 14_400, events: events)[0]
    #expect(rendered.allSatisfy { abs($0) < Float(pow(10, 13.0 / 20)) })
    #expect(rendered.contains { abs($0) > 2 })
  }

  /// Switches fade: beside a sine at 1 kHz nothing is heard above -70 dB.
  @Test(arguments: [("on", 0), ("type", 1), ("type", 3), ("placement", 2)] as [(String, Float)])
  func switchesDoNotClick(_ name: String, value: Float) throws {
    let identifier = "band4.\(name)"
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["band4.frequency": 900, "band4.gain": 9])
    let event = UnitHost.Event.parameter(host.address(identifier), value, ramp: 0, at: 4000)
    let signal = Signals.sine(frequency: 1000, frames: 9600)
    let rendered = host.render(inputs: [[signal]], frames: 9600, events: [event])[0]
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
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["band1.gain": 12, "band1.q": 10])
    let gain = host.address("band1.gain")
    let signal = Signals.sine(frequency: 40, frames: 4800) + Signals.constant(0, frames: 4800)
    let rendered = host.render(
      inputs: [[signal]], frames: 9600,
      events: [
        .parameter(gain, 0, ramp: 0, at: 4000), .parameter(gain, 12, ramp: 0, at: 6000),
      ])[0]
    #expect(rendered.suffix(4500).allSatisfy { $0 == 0 })
  }
}
