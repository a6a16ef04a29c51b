import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct CompressorTests {
  private let unit = BuiltInUnit("aufx/cmpr/bkln")

  private func decibels(_ value: Float) -> Double { Level.decibels(Double(value)) }

  @Test func theLookAheadIsReported() throws {
    let host = try unit.host([
      "threshold": -20, "ratio": 100, "knee": 0, "attack": 1, "look_ahead": 5,
    ])
    #expect(host.latency == 240)
    let output = host.play(Signals.constant(0.1, frames: 2400))
    #expect(output[239] == 0 && output[240] == 0.1)
  }

  @Test func thePeaksPresetHoldsPeaks() throws {
    let input = Signals.constant(0.1, frames: 2400) + Signals.constant(1, frames: 2400)
    #expect(try Level.peak(unit.host(preset: "Peaks").play(input)) < -5.7)
  }

  /// The key's low cut is a Butterworth high-pass, warped by the bilinear transform.
  @Test func lowNotesAreNotHeardThroughTheLowCut() throws {
    for frequency in [50.0, 200, 1000] {
      let host = try unit.host([
        "threshold": -60, "ratio": 2, "knee": 0, "attack": 5, "release": 20, "low_cut": 200,
      ])
      _ = host.play(Signals.sine(frequency: frequency, amplitude: 0.5, frames: 19_200))
      let warped = tan(.pi * 200 / 48_000) / tan(.pi * frequency / 48_000)
      let heard = decibels(0.5) - 10 * log10(1 + pow(warped, 4))
      #expect(abs(Double(host.value("gain_reduction")) - (heard + 60) / 2) < 0.05)
    }
  }

  @Test func rangeAutoMakeUpAndLinkFollowTheirFormulas() throws {
    let host = try unit.host(
      channels: 2,
      [
        "threshold": -40, "ratio": 4, "knee": 0, "attack": 0.05, "range": 20, "auto_make_up": 1,
        "link": 50,
      ])
    let (loud, soft) = (Signals.constant(1, frames: 960), Signals.constant(0.1, frames: 960))
    let output = host.play([loud, soft])
    // 30 dB are asked for at full level, 20 allowed, half of them given back.
    #expect(abs(decibels(output[0][959]) + 20 - 10) < 0.01)
    let heard = decibels(0.1 + 0.5 * 0.9)
    let reduction = min(20, (heard + 40) * 0.75)
    #expect(abs(decibels(output[1][959]) + 20 + reduction - 10) < 0.01)
  }

  /// The slow value charges with 0.5 s and falls eight times more slowly than the release.
  @Test(arguments: [0.02, 1.5]) func autoReleaseIsSlowAfterLongReductions(long: Double) throws {
    let host = try unit.host([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05, "release": 100, "hold": 0,
      "auto_release": 1,
    ])
    let loud = Int(long * 48_000)
    let output = host.play(Signals.constant(1, frames: loud) + Signals.constant(0.01, frames: 4800))
    // 100 ms after: it falls towards the fast value, which falls meanwhile.
    let slow =
      15 * (1 - exp(-long / 0.5)) * exp(-1.0 / 8) + 15 * (exp(-1.0 / 8) - exp(-1.0)) / 7
    let expected = max(15 * exp(-1.0), slow)
    #expect(abs(decibels(output[loud + 4799]) + 40 + expected) < 0.1)
  }

  @Test func aSidechainSteersInTheSoundsPlace() throws {
    let host = try unit.host([
      "threshold": -30, "ratio": 10, "knee": 0, "attack": 0.05, "release": 5,
    ])
    let pad = Signals.constant(0.01, frames: 9600)
    let kick = Signals.constant(0, frames: 4800) + Signals.constant(1, frames: 4800)
    let output = host.render(inputs: [[pad], [kick]], frames: 9600)[0]
    #expect(abs(decibels(output[4799]) + 40) < 0.01)
    #expect(abs(decibels(output[9599]) + 40 + 27) < 0.01)
  }

  @Test func bothSidesAreTurnedDownAsOne() throws {
    let host = try unit.host(
      channels: 2, ["threshold": -20, "ratio": 2, "knee": 0, "attack": 0.05])
    let output = host.play([Signals.constant(1, frames: 4800), Signals.constant(0.1, frames: 4800)])
    #expect(abs(decibels(output[0][4799]) + 10) < 0.01)
    #expect(abs(decibels(output[1][4799]) + 30) < 0.01)
  }

  @Test func mixAndMakeUpFollowTheirFormulas() throws {
    let host = try unit.host([
      "threshold": -20, "ratio": 4, "knee": 0, "attack": 0.05, "make_up": 6, "mix": 25,
    ])
    let output = host.play(Signals.constant(1, frames: 4800))
    let expected = 0.75 + 0.25 * Level.amplitude(-15 + 6)
    #expect(abs(Double(output[4799]) - expected) < 1e-4)
  }

  @Test(arguments: [[2, 3], [2, 0], [1, 3]]) func otherSidechainsAreRefused(inputs: [Int]) {
    #expect(throws: UnitHost.Refusal.self) {
      try UnitHost(unit.descriptor, inputChannels: inputs, outputChannels: [inputs[0]])
    }
  }

  /// A switched style fades in: what is not the tone stays as small as a moved ratio leaves it.
  @Test func aSwitchedStyleDoesNotClick() throws {
    let tone = Signals.sine(frequency: 1000, amplitude: 0.25, frames: 24_000)
    for next in [0, 1, 2, 3] as [Float] {
      for style in [0, 1, 2, 3] as [Float] where style != next {
        let host = try unit.host([
          "style": style, "threshold": -30, "attack": 0.05, "release": 40,
        ])
        let output = host.play(tone, events: [.parameter(host.address("style"), next, at: 12_000)])
        // The gain moves smoothly: no step from frame to frame is above 0.1 dB.
        let gains = zip(output, tone).compactMap { output, input in
          abs(input) > 0.01 ? 20 * log10(output / input) : nil
        }
        #expect(Signals.largestStep(gains.suffix(13_000)) < 0.1, "from \(style) to \(next)")
      }
    }
  }
}
