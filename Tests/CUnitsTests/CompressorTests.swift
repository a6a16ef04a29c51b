import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// Against the closed forms of Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor
/// Design", J. Audio Eng. Soc. 60 (6), 2012.
@Suite struct CompressorTests {
  private let unit = BuiltInUnit("aufx/cmpr/bkln")

  private func mono(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1, 1], outputChannels: [1], parameters: parameters)
  }

  private func decibels(_ value: Float) -> Double { 20 * log10(Double(abs(value))) }
  private func level(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  /// Equation 4: what comes out for what goes in, dB.
  private func curve(
    _ input: Double, threshold: Double, ratio: Double, knee: Double
  ) -> Double {
    let over = input - threshold
    if 2 * over < -knee { return input }
    if 2 * abs(over) <= knee, knee > 0 {
      return input + (1 / ratio - 1) * pow(over + knee / 2, 2) / (2 * knee)
    }
    return threshold + over / ratio
  }

  @Test(arguments: [(-18, 4, 6), (-30, 2, 24), (-12, 20, 0), (-40, 100, 10), (-20, 1, 12)])
  func theStaticCurveIsTheTextbooks(threshold: Float, ratio: Float, knee: Float) throws {
    for input in stride(from: -60.0, through: 0, by: 1.7) {
      let host = try mono([
        "threshold": threshold, "ratio": ratio, "knee": knee, "attack": 0.05, "release": 5,
      ])
      // Alternating signs: the detector hears the magnitude alone.
      let amplitude = level(input)
      let signal = (0..<4800).map { $0 % 2 == 0 ? amplitude : -amplitude }
      let output = host.render(inputs: [[signal]], frames: 4800)[0]
      let expected = curve(
        input, threshold: Double(threshold), ratio: Double(ratio), knee: Double(knee))
      #expect(abs(decibels(output[4799]) - expected) < 0.002, "\(input) dB")
      #expect(abs(Double(host.value("gain_reduction")) - (input - expected)) < 0.002)
    }
  }

  /// From silence to a steady level and back, with a hard knee: one time constant on the way up, two
  /// in a row on the way down.
  @Test(arguments: [(5, 50), (0.5, 200), (40, 15)])
  func attackAndReleaseTakeTheirTimes(attack: Double, release: Double) throws {
    let host = try mono([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": Float(attack), "release": Float(release),
    ])
    let (loud, quiet) = (24_000, 24_000)
    let input = Signals.constant(1, frames: loud) + Signals.constant(0.01, frames: quiet)
    let output = host.render(inputs: [[input]], frames: loud + quiet)[0]
    let asked = 15.0
    for frame in stride(from: 0, to: loud, by: 97) {
      let time = Double(frame + 1) / 48
      let reduction = asked * (1 - exp(-time / attack))
      #expect(abs(decibels(output[frame]) + reduction) < 0.01, "frame \(frame)")
    }
    // Discrete: the attack's filter follows the release's, which has fallen a frame earlier.
    let (a, r) = (exp(-1 / (attack * 48)), exp(-1 / (release * 48)))
    for frame in stride(from: 0, to: quiet, by: 97) {
      let n = Double(frame + 1)
      let driven = (1 - a) * r * (pow(r, n) - pow(a, n)) / (r - a)
      let reduction = asked * (pow(a, n) + driven)
      #expect(
        abs(decibels(output[loud + frame]) + 40 + reduction) < 0.02, "frame \(frame) after")
    }
  }

  @Test func aSidechainSteersInTheSoundsPlace() throws {
    let host = try mono([
      "threshold": -30, "ratio": 10, "knee": 0, "attack": 0.05, "release": 5,
    ])
    let pad = Signals.constant(0.01, frames: 9600)
    let kick = Signals.constant(0, frames: 4800) + Signals.constant(1, frames: 4800)
    let output = host.render(inputs: [[pad], [kick]], frames: 9600)[0]
    #expect(abs(decibels(output[4799]) + 40) < 0.01)
    #expect(abs(decibels(output[9599]) + 40 + 27) < 0.01)
  }

  @Test func bothSidesAreTurnedDownAsOne() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [2, 2],
      parameters: ["threshold": -20, "ratio": 2, "knee": 0, "attack": 0.05])
    let loud = Signals.constant(1, frames: 4800)
    let soft = Signals.constant(0.1, frames: 4800)
    let output = host.render(inputs: [[loud, soft]], frames: 4800)
    #expect(abs(decibels(output[0][4799]) + 10) < 0.01)
    #expect(abs(decibels(output[1][4799]) + 30) < 0.01)
  }

  @Test func mixAndMakeUpFollowTheirFormulas() throws {
    let host = try mono([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05, "make_up": 6, "mix": 25,
    ])
    let output = host.render(inputs: [[Signals.constant(1, frames: 4800)]], frames: 4800)[0]
    let expected = 0.75 + 0.25 * pow(10, (-15 + 6) / 20.0)
    #expect(abs(Double(output[4799]) - expected) < 1e-4)
  }

  @Test(arguments: [[2, 3], [2, 0], [1, 3]]) func otherSidechainsAreRefused(inputs: [Int]) {
    #expect(throws: UnitHost.Refusal.self) {
      try UnitHost(unit.descriptor, inputChannels: inputs, outputChannels: [inputs[0]])
    }
  }
}
