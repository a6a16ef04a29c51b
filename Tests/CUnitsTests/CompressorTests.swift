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
      let signal = (0..<960).map { $0 % 2 == 0 ? amplitude : -amplitude }
      let output = host.render(inputs: [[signal]], frames: 960)[0]
      let expected = curve(
        input, threshold: Double(threshold), ratio: Double(ratio), knee: Double(knee))
      #expect(abs(decibels(output[959]) - expected) < 0.002, "\(input) dB")
      #expect(abs(Double(host.value("gain_reduction")) - (input - expected)) < 0.002)
    }
  }

  /// From silence to a steady level and back, with a hard knee: equation 18, and a hold.
  @Test(arguments: [(5, 50, 0), (0.5, 200, 25), (40, 15, 100)])
  func attackHoldAndReleaseTakeTheirTimes(attack: Double, release: Double, hold: Double) throws {
    let host = try mono([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": Float(attack), "release": Float(release),
      "hold": Float(hold),
    ])
    let (loud, quiet) = (24_000, 24_000)
    let input = Signals.constant(1, frames: loud) + Signals.constant(0.01, frames: quiet)
    let output = host.render(inputs: [[input]], frames: loud + quiet)[0]
    for frame in stride(from: 0, to: loud, by: 97) {
      let reduction = 15 * (1 - exp(-Double(frame + 1) / 48 / attack))
      #expect(abs(decibels(output[frame]) + reduction) < 0.01, "frame \(frame)")
    }
    for frame in stride(from: 0, to: quiet, by: 97) {
      let time = max(0, Double(frame + 1) / 48 - hold)
      let reduction = 15 * exp(-time / release)
      #expect(abs(decibels(output[loud + frame]) + 40 + reduction) < 0.01, "\(frame) after")
    }
  }

  /// A tone's own wave does not move the gain: the hold bridges it.
  @Test(arguments: [0, 1] as [Float]) func aToneIsNotBent(detector: Float) throws {
    let host = try mono([
      "threshold": -18, "knee": 0, "attack": 10, "release": 150, "detector": detector,
    ])
    let tone = Signals.sine(
      frequency: 100, amplitude: Double(level(-18 + 40.0 / 3)), frames: 28_800)
    let output = host.render(inputs: [[tone]], frames: 28_800)[0]
    // Crests lie on samples: a hundred periods of 480 frames.
    let gain = (output[24_000...].max() ?? 0) / (tone.max() ?? 1)
    if detector == 0 { #expect(abs(decibels(gain) + 10) < 0.01) }
    let worst = (24_000..<28_800).map { abs(output[$0] / gain - tone[$0]) }.max() ?? 1
    #expect(worst < 0.003 * (tone.max() ?? 1))
  }

  @Test func lookAheadCatchesAStepAndIsReported() throws {
    let host = try mono([
      "threshold": -20, "ratio": 100, "knee": 0, "attack": 1, "look_ahead": 5,
    ])
    #expect(host.latency == 240)
    let input = Signals.constant(0.1, frames: 2400) + Signals.constant(0.4, frames: 2400)
    let output = host.render(inputs: [[input]], frames: 4800)[0]
    #expect(output[239] == 0 && output[240] == 0.1)
    #expect(decibels(output.max() ?? 1) < -20 + 12.04 / 100 + 0.2)
  }

  @Test func thePeaksPresetHoldsPeaks() throws {
    let preset = try #require(unit.factoryPresets.first { String(cString: $0.name) == "Peaks" })
    var values: [String: Float] = [:]
    for place in 0..<preset.value_count {
      let parameter = unit.parameters[Int(preset.values[place].address)]
      values[String(cString: parameter.identifier)] = preset.values[place].value
    }
    let input = Signals.constant(0.1, frames: 2400) + Signals.constant(1, frames: 2400)
    let output = try mono(values).render(inputs: [[input]], frames: 4800)[0]
    #expect(decibels(output.max() ?? 1) < -5.7)
  }

  /// The key's low cut is a Butterworth high-pass, warped by the bilinear transform.
  @Test func lowNotesAreNotHeardThroughTheLowCut() throws {
    for frequency in [50.0, 200, 1000] {
      let host = try mono([
        "threshold": -60, "ratio": 2, "knee": 0, "attack": 5, "release": 20, "low_cut": 200,
      ])
      let tone = Signals.sine(frequency: frequency, amplitude: 0.5, frames: 19_200)
      _ = host.render(inputs: [[tone]], frames: 19_200)
      let warped = tan(.pi * 200 / 48_000) / tan(.pi * frequency / 48_000)
      let heard = decibels(0.5) - 10 * log10(1 + pow(warped, 4))
      #expect(abs(Double(host.value("gain_reduction")) - (heard + 60) / 2) < 0.05)
    }
  }

  @Test func rangeAutoMakeUpAndLinkFollowTheirFormulas() throws {
    let settings: [String: Float] = [
      "threshold": -40, "ratio": 4, "knee": 0, "attack": 0.05, "range": 20, "auto_make_up": 1,
      "link": 50,
    ]
    let host = try UnitHost(unit.descriptor, inputChannels: [2, 2], parameters: settings)
    let (loud, soft) = (Signals.constant(1, frames: 960), Signals.constant(0.1, frames: 960))
    let output = host.render(inputs: [[loud, soft]], frames: 960)
    // 30 dB are asked for at full level, 20 allowed, half of them given back.
    #expect(abs(decibels(output[0][959]) + 20 - 10) < 0.01)
    let heard = decibels(0.1 + 0.5 * 0.9)
    let reduction = min(20, (heard + 40) * 0.75)
    #expect(abs(decibels(output[1][959]) + 20 + reduction - 10) < 0.01)
  }

  /// The slow value charges with 0.5 s and falls eight times more slowly than the release.
  @Test(arguments: [0.02, 1.5]) func autoReleaseIsSlowAfterLongReductions(long: Double) throws {
    let host = try mono([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05, "release": 100, "hold": 0,
      "auto_release": 1,
    ])
    let loud = Int(long * 48_000)
    let input = Signals.constant(1, frames: loud) + Signals.constant(0.01, frames: 4800)
    let output = host.render(inputs: [[input]], frames: loud + 4800)[0]
    // 100 ms after: it falls towards the fast value, which falls meanwhile.
    let slow =
      15 * (1 - exp(-long / 0.5)) * exp(-1.0 / 8) + 15 * (exp(-1.0 / 8) - exp(-1.0)) / 7
    let expected = max(15 * exp(-1.0), slow)
    #expect(abs(decibels(output[loud + 4799]) + 40 + expected) < 0.1)
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
