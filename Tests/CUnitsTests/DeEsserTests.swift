import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct DeEsserTests {
  private let unit = BuiltInUnit("aufx/dees/bkln")
  private let frames = 12_000

  private func mono(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1], parameters: parameters)
  }

  /// Level of the last 100 ms, dB.
  private func level(_ signal: [Float]) -> Double {
    10 * log10(signal.suffix(4800).map { Double($0 * $0) }.reduce(0, +) / 4800)
  }

  private func change(_ input: [Float], _ parameters: [String: Float] = [:]) throws -> Double {
    let output = try mono(parameters).render(inputs: [[input]], frames: frames)[0]
    return level(output) - level(input)
  }

  /// A hiss, as many sines around 8 kHz.
  private func hiss(_ amplitude: Double) -> [Float] {
    var random = Random(seed: 2)
    var sum = [Double](repeating: 0, count: frames)
    for _ in 0..<40 {
      let step = 2 * .pi * Double.random(in: 6500...10_000, using: &random) / 48_000
      for frame in 0..<frames { sum[frame] += amplitude / 20 * sin(step * Double(frame)) }
    }
    return sum.map(Float.init)
  }

  /// A vowel on 120 Hz, falling by 6 dB per octave, with a formant at 3 kHz.
  private func vowel(_ amplitude: Double) -> [Float] {
    (0..<frames).map { frame -> Float in
      let turn = 2 * Double.pi * 120 * Double(frame) / 48_000
      var sum = 0.0
      for k in 1...60 {
        let weight = (k == 25 ? 3 : 1) / Double(k)
        sum += weight * sin(Double(k) * turn + Double(k * k))
      }
      return Float(amplitude / 2 * sum)
    }
  }

  @Test(arguments: [0.3, 0.03]) func hissGoesDownAndVowelsStay(amplitude: Double) throws {
    #expect(abs(try change(hiss(amplitude)) + 8) < 1)
    #expect(abs(try change(hiss(amplitude), ["range": 16, "threshold": -20]) + 16) < 3)
    #expect(abs(try change(vowel(amplitude))) < 0.1)
  }

  /// Without reduction both bands are an all-pass: no frequency is louder or softer.
  @Test(arguments: [100, 2000, 4000, 8000, 19_000] as [Double])
  func theBandsAddUp(frequency: Double) throws {
    let tone = Signals.sine(frequency: frequency, amplitude: 0.5, frames: frames)
    #expect(abs(try change(tone, ["range": 0])) < 0.01)
    // Linkwitz and Riley: a Butterworth high-pass, twice, warped by the bilinear transform.
    let warped = tan(.pi * 4000 / 48_000) / tan(.pi * frequency / 48_000)
    let expected = -20 * log10(1 + pow(warped, 4))
    let heard = try change(tone, ["range": 0, "listen": 1])
    #expect(abs(max(heard, -100) - max(expected, -100)) < 0.1)
  }

  /// From silence into a tone of the high band: the measure is relative, so that it is there at
  /// once, and only the attack takes time.
  @Test func attackTakesItsTime() throws {
    let tone = Signals.sine(frequency: 12_000, amplitude: 0.5, frames: frames)
    let steady = try mono(["range": 0]).render(inputs: [[tone]], frames: frames)[0]
    let output = try mono(["range": 12, "attack": 5]).render(inputs: [[tone]], frames: frames)[0]
    // 12 kHz is a quarter of the rate: every second frame is a crest.
    for frame in [120, 240, 480] {
      let crest = abs(steady[frame]) > abs(steady[frame + 1]) ? frame : frame + 1
      let reduction = 20 * log10(Double(steady[crest] / output[crest]))
      #expect(abs(reduction - 12 * (1 - exp(-Double(crest) / 240))) < 0.6)
    }
  }
}
