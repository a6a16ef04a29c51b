import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct TunerTests {
  private let unit = BuiltInUnit("aufx/tunr/bkln")

  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try unit.host(parameters)
  }

  private func play(_ frequency: Double, into host: UnitHost, blockSizes: [Int] = [512]) {
    let tone = Signals.sine(frequency: frequency, amplitude: 0.2, frames: 48_000)
    _ = host.render(inputs: [[tone]], frames: tone.count, blockSizes: blockSizes)
  }

  @Test func theSoundPassesUnlessItIsMuted() throws {
    let noise = Signals.noise(frames: 4800)
    let host = try host()
    #expect(host.play(noise) == noise)
    let muted = host.play(
      Signals.constant(1, frames: 4800),
      events: [.parameter(host.address("mute"), 1, at: 100)])
    #expect(muted[99] == 1 && muted[4799] == 0)
    #expect(Signals.largestStep(muted) < 1.01 / 240)
  }

  /// A note is the nearest of all, or the nearest string, by the reference and the capo.
  @Test(
    arguments: [
      (446, [:], 69, 23.4), (446, ["reference": 442], 69, 15.6), (200, ["tuning": 1], 55, 35.0),
      (150, ["tuning": 1], 50, 37.0), (200, ["tuning": 1, "capo": 2], 57, -165.0),
      (41, ["tuning": 4], 28, -8.6),
    ] as [(Double, [String: Float], Float, Float)])
  func theNoteIsThatOfTheTuning(
    frequency: Double, parameters: [String: Float], note: Float, cents: Float
  ) throws {
    let host = try host(parameters)
    play(frequency, into: host)
    #expect(host.value("note") == note)
    #expect(abs(host.value("cents") - cents) < 0.2, "\(host.value("cents"))")
    #expect(abs(Double(host.value("frequency")) / frequency - 1) < 1e-4)
    #expect(host.value("confidence") > 99)
  }

  @Test func silenceAndNoiseHaveNoNote() throws {
    let host = try host()
    play(440, into: host)
    _ = host.play(Signals.constant(0, frames: 48_000))
    #expect(host.value("note") == 0 && host.value("frequency") == 0)
    _ = host.play(Signals.noise(frames: 48_000))
    #expect(host.value("note") == 0 && host.value("confidence") == 0)
  }

  @Test func readingsDoNotDependOnTheLengthsOfCycles() throws {
    let values = try [[1], [64], [4096], [37, 500]].map { sizes in
      let host = try host()
      play(146.83, into: host, blockSizes: sizes)
      return host.value("cents")
    }
    #expect(Set(values).count == 1, "\(values)")
  }
}
