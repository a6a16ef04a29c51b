import BacklineTestSupport
import Foundation
import Testing

/// The styles beside the differential equations of the circuits that they stand for, integrated in
/// small steps. Levels and reductions in dB, times in ms.
@Suite struct CompressorStyleTests {
  /// Threshold, hard knee, ratio, attack and release that all tests share.
  private let threshold = -30.0
  private let ratio = 6.0
  private let attack = 4.0
  private let release = 60.0

  /// A programme: levels and how long each stands.
  private let programme: [(level: Double, time: Double)] = [
    (-2, 40), (-60, 200), (-5, 1500), (-18, 300), (-80, 700), (-10, 100), (-27, 200), (-90, 500),
  ]

  private struct State {
    var fast = 0.0
    var slow = 0.0
  }

  /// Compares the unit with a model: `move` takes a level above the threshold and a step of time;
  /// the reduction is the fast value, or `held` of the slow one where that is more.
  private func expectMatch(
    style: Float, automatic: Bool = false, held: Double,
    _ move: (inout State, Double, Double) -> Void
  ) throws {
    let host = try UnitHost(
      BuiltInUnit("aufx/cmpr/bkln").descriptor, inputChannels: [1], outputChannels: [1],
      parameters: [
        "style": style, "threshold": Float(threshold), "ratio": Float(ratio), "knee": 0,
        "attack": Float(attack), "release": Float(release), "hold": 0,
        "auto_release": automatic ? 1 : 0,
      ])
    let input = programme.flatMap { stretch in
      Signals.constant(Float(pow(10, stretch.level / 20)), frames: Int(stretch.time * 48))
    }
    let output = host.render(inputs: [[input]], frames: input.count)[0]
    let steps = 4
    var (state, frame, worst) = (State(), 0, 0.0)
    for stretch in programme {
      for _ in 0..<Int(stretch.time * 48) {
        for _ in 0..<steps { move(&state, stretch.level - threshold, 1 / 48.0 / Double(steps)) }
        let gain = 20 * log10(Double(output[frame] / input[frame]))
        worst = max(worst, abs(gain + max(state.fast, held * state.slow)))
        frame += 1
      }
    }
    #expect(worst < 0.05, "\(worst) dB apart")
  }

  /// The fast value goes to `target` in the attack's or the release's time, the slow one to it.
  private func follow(
    _ state: inout State, target: Double, _ step: Double, charge: Double, slowness: Double
  ) {
    state.fast += (target - state.fast) * step / (target > state.fast ? attack : release)
    let way = state.fast - state.slow
    state.slow += way * step / (way > 0 ? charge : release * slowness)
  }

  /// A detector behind the gain: it asks for `ratio` - 1 dB a dB by which the output is too loud.
  @Test func fetIsAFeedbackLoop() throws {
    try expectMatch(style: 1, held: 0) { state, over, step in
      let asked = (ratio - 1) * max(0, over - state.fast)
      state.fast += (asked - state.fast) * step / (asked > state.fast ? attack : release)
    }
  }

  /// With automatic release it holds all of it.
  @Test(arguments: [false, true]) func optoHoldsHalfOfALongReduction(automatic: Bool) throws {
    try expectMatch(style: 2, automatic: automatic, held: automatic ? 1 : 0.5) {
      state, over, step in
      let target = (1 - 1 / ratio) * max(0, over)
      follow(&state, target: target, step, charge: 2000, slowness: 16)
    }
  }

  @Test func variMuBendsItsRatioAndReleasesLate() throws {
    try expectMatch(style: 3, held: 1) { state, over, step in
      let excess = max(0, over)
      let target = (1 - 1 / ratio) * excess * excess / (excess + 12)
      follow(&state, target: target, step, charge: 2000, slowness: 32)
    }
  }

  /// A switched style fades in: what is not the tone stays as small as a moved ratio leaves it.
  @Test func aSwitchedStyleDoesNotClick() throws {
    let tone = Signals.sine(frequency: 1000, amplitude: 0.25, frames: 24_000)
    for next in [0, 1, 2, 3] as [Float] {
      for style in [0, 1, 2, 3] as [Float] where style != next {
        let host = try UnitHost(
          BuiltInUnit("aufx/cmpr/bkln").descriptor, inputChannels: [1], outputChannels: [1],
          parameters: ["style": style, "threshold": -30, "attack": 0.05, "release": 40])
        let output = host.render(
          inputs: [[tone]], frames: 24_000,
          events: [.parameter(host.address("style"), next, at: 12_000)])[0]
        // The gain moves smoothly: no step from frame to frame is above 0.1 dB.
        let gains = zip(output, tone).compactMap { output, input in
          abs(input) > 0.01 ? 20 * log10(output / input) : nil
        }
        #expect(Signals.largestStep(gains.suffix(13_000)) < 0.1, "from \(style) to \(next)")
      }
    }
  }
}
