import BacklineTestSupport
import Testing

/// A wheel's bend comes in steps, and is not heard as stairs.
@Suite struct BendTests {
  /// Each plays a plain sine.
  private static let instruments: [(unit: String, parameters: [String: Float])] = [
    ("aumu/sine/bkln", ["attack": 0.001]),
    ("aumu/fmop/bkln", ["level": 0, "op2.level": 0, "op1.sustain": 100]),
    (
      "aumu/poly/bkln",
      ["drift": 0, "filter.mode": 5, "amplifier.sustain": 100, "osc1.shape": 0]
    ),
  ]

  /// An octave in 48 messages: no period is 0.3 % shorter than the last, as a step would make it 1.5 %.
  @Test(arguments: instruments) func aBendInStepsGlides(
    unit: String, parameters: [String: Float]
  ) throws {
    let host = try UnitHost(
      BuiltInUnit(unit).descriptor, outputChannels: [1],
      parameters: parameters.merging(["bend_range": 12]) { $1 })
    let bends = (1...48).map { step in
      let value = 8192 + 8191 * step / 48
      return UnitHost.Event.midi(
        [0xE0, UInt8(value & 127), UInt8(value >> 7)], at: 2000 + 1000 * step)
    }
    let note = UnitHost.Event.midi([0x90, 69, 100], at: 0)
    let output = host.render(frames: 52_000, events: [note] + bends)[0]
    var crossings: [Double] = []
    for frame in 1000..<51_900 where output[frame] < 0 && output[frame + 1] >= 0 {
      let share: Float = output[frame] / (output[frame] - output[frame + 1])
      crossings.append(Double(frame) + Double(share))
    }
    let periods: [Double] = zip(crossings.dropFirst(), crossings).map { $0 - $1 }
    let ratios: [Double] = zip(periods.dropFirst(), periods).map { $0 / $1 }
    #expect(ratios.allSatisfy { $0 > 0.997 && $0 < 1.0001 })
    let last = periods.last ?? 0
    #expect(abs(48_000 / last - 880) < 0.05)
  }
}
