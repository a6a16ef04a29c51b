import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import RackTestSupport
import Testing
import UnitMeasurement

/// MIDI that moves parameters, bypasses and scenes, measured on a constant input.
@Suite struct ControlTests {
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

  /// Returns a plan that turns an input of 1 into 0.1, or into 1 where the unit is bypassed.
  private func switchable(_ control: String) throws -> Plan {
    try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units: { level: { unit: aufx/gain/bkln, parameters: { gain: -20 dB } } }
      connections: [ in -> level -> out ]
      controls: [ \(control) ]
      """)
  }

  /// Returns the output for an input of 1, in decibels, 22 ms after each message; the messages are 50 ms
  /// apart.
  private func levels(_ plan: Plan, _ messages: [[UInt8]], block: Int = 64) throws -> [Double] {
    let output = try output(plan, messages, block: block)
    return messages.indices.map { index in
      20 * log10(max(Double(output[2400 * index + 1200 + 1056]), 1e-10))
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

  /// A fader's 64 steps, 20 ms apart, over a tone: the test measures the spectrum that they add beside the
  /// tone.
  @Test func aFaderIsHeardAsOneMovement() throws {
    let plan = try plan("{ from: keys cc 7, to: level.gain, range: [-20 dB, 0 dB] }")
    let frames = 61_440 + 9_600
    let tone = Signals.sine(frequency: 1000, frames: frames)
    let rendering = try OfflineRendering(plan, inputs: ["in": [tone]]) { job in
      job.length = Double(frames) / 48_000
      job.messages = (0..<64).map { step in
        .init(port: 0, time: Double(960 * step) / 48_000, bytes: [0xB0, 7, UInt8(2 * step)])
      }
    }
    let output = try #require(rendering.output.first)
    // Ten whole steps in the middle, under a Hann window.
    let part = output[19_200..<38_400].enumerated().map { index, sample in
      sample * Float(0.5 - 0.5 * cos(2 * .pi * Double(index) / 19_200))
    }
    let carrier = Spectrum.amplitude(part, at: 1000)
    let beside = Spectrum.amplitude(part, at: 1050)
    let ratio = 20 * log10(beside / carrier)

    #expect(ratio < -60)
  }

  /// A controller's jump of 20 dB over a tone: the test measures what it adds more than 1 kHz beside the
  /// tone.
  @Test(arguments: ["keys cc 7, to: level.gain, range: [0 dB, -20 dB]", "keys cc 7, to: scene low"])
  func aJumpIsHeardAsAMovement(control: String) throws {
    let plan = try plan("{ from: \(control) }", scenes: "{ low: { level.gain: -20 dB } }")
    let tone = Signals.sine(frequency: 1000, frames: 32_768)
    let rendering = try OfflineRendering(plan, inputs: ["in": [tone]]) { job in
      job.length = Double(tone.count) / 48_000
      job.messages = [.init(port: 0, time: 0.35, bytes: [0xB0, 7, 127])]
    }
    let spectrum = LineSpectrum(try #require(rendering.output.first))
    #expect(spectrum.peak(from: 2000, to: 24_000) - spectrum.level(at: 1000) < -80)
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

  @Test func aProgramMayBeOfABank() throws {
    let plan = try plan(
      """
      { from: keys program 1, to: scene any }, { from: keys program 1 bank 2, to: scene two },
      { from: keys program 1 bank 2/5 channel 1, to: scene five }
      """,
      scenes:
        "{ any: { level.gain: -6 dB }, two: { level.gain: -12 dB }, five: { level.gain: -18 dB } }")
    let messages: [[UInt8]] = [
      [0xC0, 0], [0xB0, 0, 2], [0xC0, 0], [0xB0, 32, 5], [0xC0, 0], [0xC1, 0], [0xB0, 0, 1],
      [0xC0, 0],
    ]
    let levels = try levels(plan, messages)
    #expect(isNear(levels, [-6, -6, -12, -12, -18, -6, -6, -6]), "\(levels)")
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
    // A ramp may be found at its first frame or at the first that differs.
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
      plan,
      [
        [0xB0, 33, 99], [0xB0, 1, 64], [0xB0, 33, 64], [0xB0, 1, 65], [0xB0, 33, 0],
        [0xB0, 33, 127], [0xB0, 1, 20], [0xB0, 1, 30],
      ])
    func level(_ coarse: Int, _ fine: Int) -> Double {
      -40 + 40 * Double(coarse * 128 + fine) / 16_383
    }
    // A fine half alone has no effect. Once a fine half has arrived, a coarse half waits for the next one.
    #expect(
      isNear(
        levels,
        [
          0, level(64, 0), level(64, 64), level(64, 64), level(65, 0), level(65, 127),
          level(65, 127), level(30, 0),
        ]), "\(levels)")
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
    let bend = try plan("{ from: keys bend, to: level.gain, range: [-12 dB, 12 dB] }")
    #expect(
      isNear(
        try levels(bend, [[0xE0, 0, 64], [0xE0, 127, 127], [0xE0, 0, 0]]), [0, 12, -12]))
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

  @Test func switchesThatSendNothingAtTheirReleaseAndThoseThatLatchActAtEachPress() throws {
    let plan = try plan(
      "{ from: keys cc 80, to: level.gain, range: [0 dB, -20 dB], mode: toggle },"
        + "{ from: keys cc 81, to: other.gain, range: [0 dB, -6 dB], mode: latching },"
        + "{ from: keys cc 82, to: scene loud }, { from: keys cc 83, to: scene loud, mode: latching }",
      scenes: "{ loud: { level.gain: 3 dB } }")
    let press: [UInt8] = [0xB0, 80, 127]
    #expect(isNear(try levels(plan, [press, press, press]), [-20, 0, -20]))
    #expect(
      isNear(try levels(plan, [127, 0, 127].map { [0xB0, 81, $0] }), [-6, 0, -6]))
    let again = try levels(plan, [[0xB0, 82, 127], press, [0xB0, 82, 127]])
    #expect(isNear(again, [3, -20, 3]), "\(again)")
    let latched = try levels(plan, [[0xB0, 83, 127], press, [0xB0, 83, 0]])
    #expect(isNear(latched, [3, -20, 3]), "\(latched)")
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
    // The control passes 0 dB on its way from 40 to 80; and 96 is close enough to the scene's value.
    #expect(isNear(levels, [0, 0, level(80), level(20), 10, 10, level(96)]), "\(levels)")
  }

  @Test func aBypassFollowsASwitch() throws {
    let plan = try switchable("{ from: keys cc 64, to: level.bypass }")
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
    // A parameter that the scene does not name keeps its value.
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

  @Test func curvesAreTheirFormulas() throws {
    func cutoff(_ control: String, _ message: [UInt8]) throws -> Double {
      let plan = try TestRacks.plan(
        """
        rack: Test
        inputs: { in: { channels: 1 }, keys: { midi: true } }
        outputs: { out: { channels: 1 } }
        units: { tone: { unit: aufx/lpas/bkln, parameters: { resonance: 0 dB } } }
        connections: [ in -> tone -> out ]
        controls: [ { from: keys cc 1, to: tone.cutoff, \(control) } ]
        """)
      // A sine far above the cutoff falls by 12 dB an octave, which reveals the cutoff.
      let tone = Signals.sine(frequency: 8000, amplitude: 1, frames: 24_000)
      let rendering = try OfflineRendering(plan, inputs: ["in": [tone]]) { job in
        job.length = 0.5
        job.messages = [.init(port: 0, time: 0, bytes: message)]
      }
      let power = rendering.output[0].suffix(12_000).reduce(0) { $0 + Double($1 * $1) } / 6000
      // The response of an analogue Butterworth filter: |H|² = 1 / (1 + (f / c)⁴).
      return 8000 / pow(1 / power - 1, 0.25)
    }
    let share = 64.0 / 127
    let logarithmic = try cutoff("range: [200 Hz, 5 kHz], curve: log", [0xB0, 1, 64])
    #expect(abs(logarithmic / (200 * pow(25, share)) - 1) < 0.01, "\(logarithmic)")
    let linear = try cutoff("range: [200 Hz, 5 kHz], curve: linear", [0xB0, 1, 64])
    #expect(abs(linear / (200 + 4800 * share) - 1) < 0.01, "\(linear)")
    let squared = try cutoff("range: [5 kHz, 200 Hz], curve: square", [0xB0, 1, 64])
    #expect(abs(squared / (200 + 4800 * pow(1 - share, 2)) - 1) < 0.01, "\(squared)")
  }

  @Test func aBypassIsHeardAtItsFrameWhateverTheBlock() throws {
    let plan = try switchable("{ from: keys note C4, to: level.bypass, mode: toggle }")
    let messages: [[UInt8]] = [[0x90, 60, 1], [0x80, 60, 0], [0x90, 60, 127]]
    let small = try output(plan, messages, block: 17)
    #expect(firstDifference(small, try output(plan, messages, block: 1024)) == nil)
    let moved = try #require(small.firstIndex { abs($0 - 0.1) > 1e-5 })
    #expect((1200...1202).contains(moved))
    #expect(small[2500] == 1 && small[5900] == 1 && abs(small[8000] - 0.1) < 1e-4)
  }

  @Test func whatComesInOneCycleCountsWhateverTheBlock() throws {
    let plan = try plan(
      "{ from: keys cc 9, to: level.gain, range: [-12.7 dB, 12.7 dB], mode: binary-offset },"
        + "{ from: keys cc 10, to: level.gain, range: [-12.7 dB, 12.7 dB], mode: sign-magnitude },"
        + "{ from: keys program 1, to: scene loud }", scenes: "{ loud: { level.gain: 6 dB } }")
    let bytes: [[UInt8]] = [
      [0xB0, 9, 65], [0xB0, 10, 1], [0xC0, 0], [0xB0, 9, 65], [0xB0, 10, 2],
    ]
    func last(_ block: Int) throws -> Float {
      let ones = Signals.constant(1, frames: 8192)
      let rendering = try OfflineRendering(plan, inputs: ["in": [ones]]) { job in
        job.blockFrames = block
        job.length = Double(ones.count) / 48_000
        job.messages = bytes.enumerated().map {
          .init(port: 0, time: Double(10 * $0) / 48_000, bytes: $1)
        }
      }
      return try #require(rendering.output.first?.last)
    }
    #expect(abs(20 * log10(Double(try last(1024))) - 6.6) < 0.01)
    #expect(try last(16) == last(1024))
  }

  @Test func knobsAndEncodersMoveASwitch() throws {
    /// Returns the output: 1 where the unit is bypassed, otherwise 0.1.
    func level(_ control: String, _ values: [UInt8]) throws -> Float {
      let plan = try switchable("{ from: keys cc 1, to: level.bypass, \(control) }")
      let output = try output(plan, values.map { [0xB0, 1, $0] })
      return output[2400 * values.count + 1100]
    }
    let up = [UInt8](repeating: 8, count: 9)
    #expect(try level("mode: twos-complement", up) == 1)
    #expect(abs(try level("mode: twos-complement", up + up.map { 128 - $0 }) - 0.1) < 1e-4)
    #expect(try level("pick_up: true", [0, 40, 90]) == 1)
    #expect(abs(try level("pick_up: true", [0, 40, 90, 126, 40]) - 0.1) < 1e-4)
  }

  @Test func aWheelAtRestIsNotPastTheMiddle() throws {
    let plan = try plan(
      "{ from: keys bend, to: level.gain, range: [0 dB, -20 dB], mode: toggle }")
    let rest: [UInt8] = [0xE0, 0, 64]
    let up: [UInt8] = [0xE0, 0, 100]
    #expect(isNear(try levels(plan, [rest, up, rest, up, rest]), [0, -20, -20, 0, 0]))
  }
}
