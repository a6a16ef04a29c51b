import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct EnvelopeTests {
  private let unit = BuiltInUnit("augn/envl/bkln")

  private func played(
    _ parameters: [String: Float], _ events: [UnitHost.Event]
  ) throws -> [Double] {
    try unit.host(parameters).render(frames: 96_000, events: events)[0].map(Double.init)
  }

  private let stages: [String: Float] = [
    "attack": 0.1, "hold": 0.05, "decay": 0.2, "sustain": 40, "release": 0.3,
  ]

  @Test func aReleaseBeginsWhereTheEnvelopeIs() throws {
    let output = try played(
      stages.merging(["curve": 0]) { $1 }, [.on(60, at: 0), .off(60, at: 2400)])
    #expect(abs(output[2400] - 0.5) < 1e-6)
    #expect(abs(output[2400 + 7200] - 0.25) < 1e-6)
  }

  /// A held key goes to another sustain in the time of a decay; a decay or release that is under way
  /// keeps the share of its time that is over.
  @Test(arguments: [0, 50] as [Float]) func changesApplyAtOnce(curve: Float) throws {
    let host = try unit.host(stages.merging(["curve": curve]) { $1 })
    func change(_ name: String, _ value: Float, at frame: Int) -> UnitHost.Event {
      .parameter(host.address(name), value, at: frame)
    }
    let output = host.render(
      frames: 144_000,
      events: [
        .on(60), change("sustain", 60, at: 4800 + 2400 + 2400),
        change("decay", 0.4, at: 4800 + 2400 + 4800), change("sustain", 20, at: 48_000),
        .off(60, at: 96_000), change("release", 0.1, at: 96_000 + 7200),
      ])[0].map(Double.init)
    func value(_ frame: Int, _ expected: Double) {
      #expect(abs(output[frame] - expected) < 1e-4, "frame \(frame): \(output[frame])")
    }
    // A quarter of the way down to 0.4, then on to 0.6 in the rest; half of the time is over when
    // the whole becomes twice as long.
    let quarter = EnvelopeCurve.way(0.25, curve: curve)
    let half = EnvelopeCurve.way(0.5, curve: curve)
    let before = 1 - 0.6 * quarter
    let from = 0.6 + (before - 0.6) / (1 - quarter)
    value(9600, before)
    value(12_000, from + (0.6 - from) * half)
    let later = EnvelopeCurve.way(0.75, curve: curve)
    value(12_000 + 4800, from + (0.6 - from) * later)
    value(12_000 + 9600, 0.6)
    value(47_999, 0.6)
    value(48_000 + 9600, 0.6 - 0.4 * half)
    value(48_000 + 19_200, 0.2)
    value(96_000 + 7200, 0.2 - 0.2 * half)
    value(96_000 + 7200 + 2400, 0)
  }

  @Test func retriggerAttacksFromThePresentValue() throws {
    let notes: [UnitHost.Event] = [.on(60, at: 0), .on(64, at: 40_000)]
    let plain = try played(stages.merging(["curve": 0]) { $1 }, notes)
    #expect(abs(plain[39_999] - 0.4) < 1e-6)
    #expect(abs(plain[42_400] - 0.7) < 1e-6)
    let legato = try played(stages.merging(["curve": 0, "mode": 1]) { $1 }, notes)
    #expect(legato[20_000...].allSatisfy { abs($0 - 0.4) < 1e-6 })
  }

  @Test func legatoBeginsAgainOnceAllKeysAreUp() throws {
    let output = try played(
      stages.merging(["curve": 0, "mode": 1]) { $1 },
      [
        .on(60, at: 0), .on(64, at: 30_000), .off(60, at: 31_000), .off(64, at: 40_000),
        .on(62, at: 60_000),
      ])
    #expect(abs(output[39_999] - 0.4) < 1e-6 && abs(output[47_200] - 0.2) < 1e-6)
    #expect(abs(output[64_800] - 1) < 1e-6)
  }

  @Test(arguments: [0, 50, 100] as [Float], [UInt8(1), 64, 127])
  func velocityLowersThePeak(amount: Float, velocity: UInt8) throws {
    let output = try played(
      ["attack": 0.01, "sustain": 100, "velocity": amount], [.on(60, velocity, at: 0)])
    let expected = 1 - Double(amount) / 100 * (1 - Double(velocity) / 127)
    #expect(abs((output.last ?? 0) - expected) < 1e-6)
  }

  /// The pedal holds keys until it comes up, or all controllers are reset.
  @Test(arguments: [UInt8(64), 121]) func thePedalHoldsKeys(controller: UInt8) throws {
    let output = try played(
      ["attack": 0.01, "sustain": 100, "release": 0.01],
      [
        .on(60, at: 0), .midi([0xB0, 64, 127], at: 100), .off(60, at: 10_000),
        .midi([0xB1, 64, 0], at: 15_000), .midi([0xB0, controller, 0], at: 20_000),
      ])
    #expect(abs(output[19_999] - 1) < 1e-6 && output[20_480...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [UInt8(120), 123]) func allNotesOffReleases(controller: UInt8) throws {
    let output = try played(
      ["attack": 0.01, "sustain": 100, "release": 0.01],
      [.on(60, at: 0), .on(61, at: 5), .midi([0xB0, controller, 0], at: 10_000)])
    #expect(output[9999] > 0.99 && output[10_480...].allSatisfy { $0 == 0 })
  }
}
