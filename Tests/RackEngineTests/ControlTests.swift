import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import Testing

/// MIDI that moves parameters, bypasses and scenes: heard in what a constant comes to.
@Suite struct ControlTests {
  private static let frames = 24_000

  private func plan(_ controls: String, scenes: String = "{}") throws -> Plan {
    try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln }
        other: { unit: aufx/gain/bkln }
      connections: [ in -> level -> other -> out ]
      controls: [ \(controls) ]
      scenes: \(scenes)
      """)
  }

  /// What comes of ones, in decibels, 10 ms after each message; messages come 50 ms apart.
  private func levels(_ plan: Plan, _ messages: [[UInt8]], block: Int = 64) throws -> [Double] {
    let output = try output(plan, messages, block: block)
    return messages.indices.map { index in
      20 * log10(max(Double(output[2400 * index + 1200 + 480]), 1e-10))
    }
  }

  private func output(_ plan: Plan, _ messages: [[UInt8]], block: Int = 64) throws -> [Float] {
    let ones = Signals.constant(1, frames: 2400 * (messages.count + 1))
    let rendering = try OfflineRendering(plan, inputs: ["in": [ones]]) { job in
      job.blockFrames = block
      job.length = Double(ones.count) / 48_000
      job.messages = messages.enumerated().map { index, bytes in
        .init(port: 0, time: Double(2400 * index + 1200) / 48_000, bytes: bytes)
      }
    }
    return try #require(rendering.output.first)
  }

  private func isNear(_ levels: [Double], _ expected: [Double]) -> Bool {
    levels.count == expected.count && zip(levels, expected).allSatisfy { abs($0 - $1) < 0.01 }
  }

  @Test func aControllerGoesThroughItsRange() throws {
    let plan = try plan("{ from: keys cc 7, to: level.gain, range: [-24 dB, 12 dB] }")
    let values: [UInt8] = [0, 127, 64, 1]
    let levels = try levels(plan, values.map { [0xB3, 7, $0] })
    #expect(isNear(levels, values.map { -24 + 36 * Double($0) / 127 }), "\(levels)")
  }

  @Test func aRangeMayGoDown() throws {
    let plan = try plan("{ from: keys cc 7, to: level.gain, range: [0 dB, -20 dB] }")
    #expect(isNear(try levels(plan, [[0xB0, 7, 127], [0xB0, 7, 0]]), [-20, 0]))
  }

  @Test func itIsHeardAtItsFrameWhateverTheBlock() throws {
    let plan = try plan("{ from: keys cc 7, to: level.gain, range: [0 dB, -20 dB] }")
    let small = try output(plan, [[0xB0, 7, 100]], block: 17)
    let large = try output(plan, [[0xB0, 7, 100]], block: 1024)
    #expect(firstDifference(small, large) == nil)
    let moved = try #require(small.firstIndex { $0 != 1 })
    // A ramp's first frame may be where it begins or the first that differs.
    #expect((1200...1201).contains(moved))
    #expect(Signals.largestStep(small) < 0.02)
  }

  @Test func onlyItsChannelAndItsNumberMoveIt() throws {
    let plan = try plan(
      "{ from: keys cc 7 channel 2, to: level.gain, range: [0 dB, -20 dB] }")
    let levels = try levels(
      plan, [[0xB0, 7, 127], [0xB1, 8, 127], [0x91, 7, 127], [0xB1, 7, 127]])
    #expect(isNear(levels, [0, 0, 0, -20]))
  }

  @Test func fourteenBitsAreFinerThanSeven() throws {
    let plan = try plan("{ from: keys cc 1/33, to: level.gain, range: [-40 dB, 0 dB] }")
    let levels = try levels(
      plan, [[0xB0, 1, 64], [0xB0, 33, 64], [0xB0, 1, 65], [0xB0, 33, 0], [0xB0, 33, 127]])
    func level(_ coarse: Int, _ fine: Int) -> Double {
      -40 + 40 * Double(coarse * 128 + fine) / 16_383
    }
    // Once a fine half has come, the coarse one waits for its own.
    #expect(
      isNear(levels, [level(64, 0), level(64, 64), level(64, 64), level(65, 0), level(65, 127)]))
  }

  @Test func aNonRegisteredParameterIsHeardOnlyWhenItIsMeant() throws {
    let plan = try plan("{ from: keys nrpn 1234, to: level.gain, range: [-40 dB, 0 dB] }")
    let levels = try levels(
      plan,
      [
        [0xB0, 6, 20], [0xB0, 99, 9], [0xB0, 98, 82], [0xB0, 6, 64], [0xB0, 38, 32],
        [0xB0, 101, 0], [0xB0, 6, 100],
      ])
    let coarse = -40 + 40 * Double(64 * 128) / 16_383
    let fine = -40 + 40 * Double(64 * 128 + 32) / 16_383
    #expect(isNear(levels, [0, 0, 0, coarse, fine, fine, fine]), "\(levels)")
  }

  @Test func bendPressureAndKeysMoveIt() throws {
    let bend = try plan("{ from: keys bend, to: level.gain, range: [-20 dB, 20 dB] }")
    #expect(
      isNear(
        try levels(bend, [[0xE0, 0, 64], [0xE0, 127, 127], [0xE0, 0, 0]]), [0, 20, -20]))
    let pressure = try plan("{ from: keys pressure, to: level.gain, range: [0 dB, -20 dB] }")
    #expect(isNear(try levels(pressure, [[0xD0, 127], [0xD0, 0]]), [-20, 0]))
    let key = try plan("{ from: keys pressure C4, to: level.gain, range: [0 dB, -20 dB] }")
    #expect(isNear(try levels(key, [[0xA0, 61, 127], [0xA0, 60, 127]]), [0, -20]))
    let note = try plan("{ from: keys note 60, to: level.gain, range: [0 dB, -20 dB] }")
    #expect(isNear(try levels(note, [[0x90, 60, 127], [0x80, 60, 64]]), [-20, 0]))
  }

  @Test func aToggleGoesToAndFro() throws {
    let plan = try plan(
      "{ from: keys note C2, to: level.gain, range: [0 dB, -20 dB], mode: toggle },"
        + "{ from: keys cc 80, to: other.gain, range: [0 dB, -6 dB], mode: toggle }")
    let levels = try levels(
      plan,
      [
        [0x90, 36, 5], [0x80, 36, 0], [0x90, 36, 127], [0xB0, 80, 127], [0xB0, 80, 0],
        [0xB0, 80, 127],
      ])
    #expect(isNear(levels, [-20, -20, 0, -6, -6, 0]), "\(levels)")
  }

  @Test func encodersTurnFromWhereTheParameterStands() throws {
    func turned(_ mode: String, _ clicks: [UInt8]) throws -> [Double] {
      let plan = try plan(
        "{ from: keys cc 9, to: level.gain, range: [-12.7 dB, 12.7 dB], mode: \(mode) }")
      return try levels(plan, clicks.map { [0xB0, 9, $0] })
    }
    let expected = [0.2, 0.6, 0.4]
    #expect(isNear(try turned("twos-complement", [1, 2, 127]), expected))
    #expect(isNear(try turned("binary-offset", [65, 66, 63]), expected))
    #expect(isNear(try turned("sign-magnitude", [1, 2, 65]), expected))
  }

  @Test func clicksOfOneCycleAllCount() throws {
    let plan = try plan(
      "{ from: keys cc 9, to: level.gain, range: [-12.7 dB, 12.7 dB], mode: twos-complement }")
    let ones = Signals.constant(1, frames: 4096)
    let rendering = try OfflineRendering(plan, inputs: ["in": [ones]]) { job in
      job.blockFrames = 1024
      job.length = Double(ones.count) / 48_000
      job.messages = (0..<10).map {
        .init(port: 0, time: Double($0) / 48_000, bytes: [0xB0, 9, 1])
      }
    }
    let last = try #require(rendering.output.first?.last)
    #expect(abs(20 * log10(Double(last)) - 2) < 0.01)
  }

  @Test func itPicksUpWhereTheParameterStands() throws {
    let plan = try plan(
      "{ from: keys cc 7, to: level.gain, range: [-20 dB, 20 dB], pick_up: true },"
        + "{ from: keys program 2, to: scene loud }", scenes: "{ loud: { level.gain: 10 dB } }")
    let levels = try levels(
      plan,
      [
        [0xB0, 7, 10], [0xB0, 7, 40], [0xB0, 7, 80], [0xB0, 7, 20], [0xC0, 1], [0xB0, 7, 30],
        [0xB0, 7, 96],
      ])
    func level(_ value: Double) -> Double { -20 + 40 * value / 127 }
    // It goes past 0 dB on its way from 40 to 80; and 96 is as good as where the scene put it.
    #expect(isNear(levels, [0, 0, level(80), level(20), 10, 10, level(96)]), "\(levels)")
  }

  @Test func aBypassFollowsASwitch() throws {
    let plan = try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: aufx/gain/bkln, parameters: { gain: -20 dB } } }
      connections: [ in -> level -> out ]
      controls: [ { from: keys cc 64, to: level.bypass } ]
      """)
    let output = try output(plan, [[0xB0, 64, 127], [0xB0, 64, 0]])
    #expect(abs(output[1000] - 0.1) < 1e-4 && output[3500] == 1 && abs(output[6500] - 0.1) < 1e-4)
    #expect(Signals.largestStep(output) < 0.01)
  }

  @Test func aProgramRecallsAScene() throws {
    let plan = try plan(
      "{ from: keys program 1, to: scene low }, { from: keys program 128, to: scene dry }",
      scenes: "{ low: { level.gain: -20 dB, other.gain: -6 dB }, dry: { level.bypass: true } }")
    #expect(isNear(try levels(plan, [[0xC0, 5], [0xC0, 0]]), [0, -26]))
    let output = try output(plan, [[0xC0, 0], [0xC0, 127], [0xC0, 0]])
    // A bypass fades over 20 ms.
    #expect(abs(20 * log10(output[5500]) + 6) < 0.01)
    // What a scene does not name stays as it is.
    #expect(abs(20 * log10(output[8500]) + 6) < 0.01)
  }

  @Test func aSceneMayTakeItsTime() throws {
    let plan = try plan(
      "{ from: keys cc 20, to: scene low }",
      scenes: "{ low: { over: 100 ms, level.gain: -20 dB } }")
    let output = try output(plan, [[0xB0, 20, 127], [0xB0, 20, 0], [0xB0, 20, 0]])
    #expect(output[1200 + 2400] > 0.11 && output[1200 + 2400] < 0.99)
    #expect(abs(output[1200 + 4900] - 0.1) < 1e-4)
    #expect(zip(output, output.dropFirst()).allSatisfy { $0 >= $1 - 1e-6 })
  }

  @Test func aLogarithmicControlGoesByRatios() throws {
    let plan = try TestRacks.plan(
      """
      rack: Test
      inputs: { keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units:
        tone: { unit: aumu/sine/bkln, channels: 1 }
        ring: { unit: aufx/ring/bkln, parameters: { mix: 100 % } }
      connections: [ keys -> tone -> ring -> out ]
      controls: [ { from: keys cc 1, to: ring.frequency, range: [20 Hz, 500 Hz], curve: log } ]
      """)
    guard case .move(_, mode: .absolute, let from, let to, let curve)? = plan.controls.first?.action
    else {
      Issue.record("\(plan.controls)")
      return
    }
    #expect(from == 20 && to == 500 && curve == .logarithmic)
    #expect(plan.controls.first?.port == 0 && plan.controls.first?.source.channel == nil)
  }
}
