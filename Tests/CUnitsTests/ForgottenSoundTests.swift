import BacklineTestSupport
import Testing

/// A filter that is switched off while sound rings in it is empty when it is switched on again.
@Suite struct ForgottenSoundTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let unit: String
    let parameter: String
    let on: Float
    let off: Float
    let others: [String: Float]
    var testDescription: String { "\(unit) \(parameter)" }
  }

  private static let cases = [
    Case(
      unit: "aufx/dely/bkln", parameter: "low_cut", on: 2000, off: 20,
      others: ["time": 0.05, "feedback": 0, "mix": 100]),
    Case(unit: "aufx/ster/bkln", parameter: "mono_below", on: 120, off: 20, others: [:]),
    Case(
      unit: "aufx/crsh/bkln", parameter: "filter", on: 1, off: 0,
      others: ["rate": 4000, "bits": 16, "mix": 100, "dither": 0]),
    Case(unit: "aufx/dist/bkln", parameter: "quality", on: 0, off: 1, others: [:]),
    Case(unit: "aufx/tmlo/bkln", parameter: "mode", on: 1, off: 0, others: [:]),
    Case(
      unit: "aufx/ptch/bkln", parameter: "voices", on: 2, off: 1,
      others: ["dry": -96, "voice_1.level": -96, "voice_2.delay": 100]),
  ]

  @Test(arguments: cases) func aFilterThatIsSwitchedOnAgainIsSilent(_ test: Case) throws {
    let unit = BuiltInUnit(test.unit)
    let host = try UnitHost(
      unit.descriptor, inputChannels: [2], outputChannels: [2],
      parameters: test.others.merging([test.parameter: test.on]) { $1 })
    var sound = Signals.sine(frequency: 100, amplitude: 0.25, frames: 96_000)
    for frame in 24_000..<96_000 { sound[frame] = 0 }
    let side = sound.map { -$0 / 2 }
    let address = host.address(test.parameter)
    let output = host.render(
      inputs: [[sound, side]], frames: sound.count,
      events: [
        .parameter(address, test.off, ramp: 960, at: 12_000),
        .parameter(address, test.on, ramp: 960, at: 72_000),
      ])[0]
    let loudest = output[..<24_000].map(\.magnitude).max() ?? 0
    let after = output[72_000...].map(\.magnitude).max() ?? 1
    #expect(loudest > 0.05)
    #expect(after < 1e-5, "\(after)")
  }
}
