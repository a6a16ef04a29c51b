import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct RingModulatorTests {
  private let unit = BuiltInUnit("aufx/ring/bkln")

  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try unit.host(parameters)
  }

  /// Returns the unit's multiplier, frame by frame.
  private func modulator(
    _ host: UnitHost, frames: Int, events: [UnitHost.Event] = []
  ) -> [Float] {
    host.render(
      inputs: [[Signals.constant(1, frames: frames)]], frames: frames, blockSizes: [480, 17],
      events: events)[0]
  }

  /// The 24 frames on each side of a kink of |sin| differ, since it has no aliases there.
  @Test(arguments: zip([22, 0.1, 440, 5] as [Float], [0, 1, 1, 0] as [Float]))
  func multipliesByItsFormula(frequency: Float, waveform: Float) throws {
    let host = try host(["frequency": frequency, "waveform": waveform])
    let frames = 60_000
    let modulator = modulator(host, frames: frames)
    let worst = (0..<frames).map { frame -> Double in
      let turns = (Double(frequency) * Double(frame) / 48_000).truncatingRemainder(dividingBy: 1)
      let sine = sin(2 * .pi * turns)
      let halves = 2 * turns
      let kink = abs(halves - halves.rounded()) * 24_000 / Double(frequency)
      guard waveform == 1 || kink > 24 else { return 0 }
      return abs(Double(modulator[frame]) - (waveform == 0 ? abs(sine) : sine))
    }.max()
    #expect(try #require(worst) < 3e-7)
  }

  @Test func startsAsTheDocumentHasIt() throws {
    let host = try host()
    #expect(host.value("frequency") == 22)
    #expect(modulator(host, frames: 4800).allSatisfy { $0 >= 0 })
  }

  @Test func mixesTheSoundBackIn() throws {
    let host = try host(["frequency": 300, "waveform": 1, "mix": 40])
    for (frame, factor) in modulator(host, frames: 2000).enumerated() {
      let sine = sin(2 * .pi * 300 * Double(frame) / 48_000)
      #expect(abs(Double(factor) - (0.6 + 0.4 * sine)) < 1e-6)
    }
  }

  @Test func aSweepHasNoJumpInItsPhase() throws {
    let host = try host(["frequency": 100, "waveform": 1])
    let event = UnitHost.Event.parameter(host.address("frequency"), 2100, ramp: 2000, at: 500)
    let modulator = modulator(host, frames: 4000, events: [event])
    var turns = 0.0
    for (frame, factor) in modulator.enumerated() {
      #expect(abs(Double(factor) - sin(2 * .pi * turns)) < 1e-5, "frame \(frame)")
      turns += (100 + Double(min(max(frame - 500, 0), 2000))) / 48_000
    }
  }

  @Test func changingTheWaveformDoesNotClick() throws {
    let host = try host(["frequency": 30, "waveform": 1])
    // In the middle of the negative half, where the two are furthest apart.
    let event = UnitHost.Event.parameter(host.address("waveform"), 0, at: 1200)
    let modulator = modulator(host, frames: 3000, events: [event])
    #expect(modulator[1199] < -0.9 && modulator[2200] > 0)
    let ownStep: Float = 2 * .pi * 30 / 48_000
    let crossfadeStep: Float = 2.0 / 960
    #expect(Signals.largestStep(modulator) < ownStep + crossfadeStep)
  }

  @Test func allChannelsShareOneModulator() throws {
    let noise = [[Float]](repeating: Signals.noise(frames: 700), count: 4)
    let rendered = try unit.host(channels: 4).play(noise)
    #expect(rendered.allSatisfy { $0 == rendered[0] })
  }
}
