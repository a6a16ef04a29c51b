import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// When a unit in another process does not answer, its input is heard instead, without a click.
struct AbsenceTests {
  /// The length of a node's crossfade at 48 kHz, frames.
  private static let fade = 961
  /// The length of a linear fade as steep as the middle of that crossfade, frames.
  private static let steepest = 641
  private static let factor: Float = -2
  private static let sine = Signals.sine(frequency: 440, amplitude: 0.5, frames: 48_000)
  /// The largest step of the sine itself.
  private static let slope = Signals.largestStep(sine)
  /// The largest difference between dry and wet, and between either and the held last sample.
  private static let distance: Float = 0.5 * (1 + abs(factor))

  private let ones = [Float](repeating: 1, count: 8192)

  private func oneUnit(
    _ unit: TestUnit = .scale, inputs: [UInt32] = [1], factor: Float = Self.factor
  ) throws -> KernelHost {
    let host = KernelHost()
    host.addElsewhere(unit.descriptor, inputs: inputs, parameters: [(0, factor)])
    let input = inputs.isEmpty ? [] : [KernelHost.cable(nil, 0)]
    host.play(try host.lower(input + [KernelHost.cable(0, nil)]))
    return host
  }

  @Test(arguments: [[1], [64], [480, 17], [1024]])
  func itsLastSampleGoesOutToItsInputAndItComesBack(cycles: [Int]) throws {
    let host = try oneUnit()
    #expect(host.render([ones], frames: 128, cycles: cycles)[0].allSatisfy { $0 == -2 })
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    let away = host.render([ones], frames: 1024, cycles: cycles)[0]
    host.answer(with: Int(BL_OK))
    let back = host.render([ones], frames: 1024, cycles: cycles)[0]
    for frame in 0..<1024 {
      let passed = min(Float(frame) / Float(Self.fade), 1)
      let share = passed * passed * (3 - 2 * passed)
      #expect(abs(away[frame] - (-2 + 3 * share)) < 1e-5, "away, frame \(frame)")
      #expect(abs(back[frame] - (1 - 3 * share)) < 1e-5, "back, frame \(frame)")
    }
    #expect(host.render([ones], frames: 64)[0].allSatisfy { $0 == -2 })
  }

  @Test func aUnitThatHasNeverAnsweredComesUpFromSilence() throws {
    let host = try oneUnit()
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    let output = host.render([ones], frames: 1024)[0]
    #expect(output[0] == 0 && output[1023] == 1 && Signals.largestStep(output) < 0.0022)
  }

  @Test(arguments: [TestUnit.provider, .beat])
  func withoutAnInputThereIsSilence(unit: TestUnit) throws {
    let host = try oneUnit(unit, inputs: [])
    #expect(host.render(frames: 64)[0].allSatisfy { $0 != 0 })
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    let away = host.render(frames: 1024)[0]
    #expect(away[0] != 0 && away[1023] == 0 && Signals.largestStep(away) < 0.0043)
    host.answer(with: Int(BL_OK))
    let back = host.render(frames: 1024)[0]
    #expect(back[0] == 0 && back[1023] != 0 && Signals.largestStep(back) < 0.0043)
  }

  @Test func theInputIsAsLateAsTheUnit() throws {
    let host = try oneUnit(.latent)
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    let input = noise(2048)
    let output = host.render([input], frames: 2048, cycles: [33])[0]
    let late = Int(BL_TEST_LATENCY)
    #expect(firstDifference(output[1024...], input[(1024 - late)..<(2048 - late)]) == nil)
  }

  /// The unit stops and resumes answering at random, in cycles of random length; for odd seeds, it
  /// is also bypassed at random.
  @Test(arguments: 0..<repetitions(60))
  func nothingClicks(seed: Int) throws {
    var random = Random(seed: UInt64(seed))
    let unit = [TestUnit.scale, .scaleApart, .latent][seed % 3]
    let bypasses = seed % 2 == 1
    let host = try oneUnit(unit)
    var output: [Float] = []
    while output.count + 1024 < Self.sine.count {
      let length = [1, 17, 64, 480, 1000].randomElement(using: &random) ?? 1
      let cycles = Int.random(in: 1...4, using: &random)
      host.answer(with: Int(Bool.random(using: &random) ? BL_OK : BL_ERROR_UNAVAILABLE))
      if bypasses && Int.random(in: 0..<4, using: &random) == 0 {
        let bypassed = Bool.random(using: &random)
        host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = bypassed }
      }
      let frames = min(length * cycles, 1024)
      let block = Array(Self.sine[output.count..<output.count + frames])
      output += host.render([block], frames: frames, cycles: [length])[0]
    }
    // A crossfade adds at most its distance divided by its length to each step.
    let fades: Float = bypasses ? 2 : 1
    let bound = 2 * Self.slope + fades * Self.distance / Float(Self.steepest)
    #expect(Signals.largestStep(output) <= bound + 1e-5)
    #expect(host.count(BL_REPORT_UNAVAILABLE) > 0 && host.count(BL_REPORT_RENDER_FAILED) == 0)
  }

  @Test(arguments: 0..<repetitions(20))
  func nothingClicksOnTheWayBackFromNonsense(seed: Int) throws {
    var random = Random(seed: UInt64(seed))
    let host = try oneUnit()
    _ = host.render([Self.sine], frames: 64)
    for fault in [1, 0] as [Float] {
      let start = bl_kernel_sample_time(host.kernel)
      host.schedule(0, parameter: 1, value: fault, at: start)
      if fault == 1 { _ = host.render([Array(Self.sine[64...])], frames: 64) }
    }
    var output: [Float] = [0]
    while output.count < 4096 {
      host.answer(with: Int(Bool.random(using: &random) ? BL_OK : BL_ERROR_UNAVAILABLE))
      let frames = Int.random(in: 1...400, using: &random)
      let block = Array(Self.sine[127 + output.count..<127 + output.count + frames])
      output += host.render([block], frames: frames, cycles: [64])[0]
    }
    let bound = 2 * Self.slope + 2 * Self.distance / Float(Self.steepest)
    #expect(Signals.largestStep(output) <= bound + 1e-5)
  }

  @Test func absencesAreNamedAndCounted() throws {
    let host = try oneUnit()
    host.receivesReports = false
    for _ in 0..<3 {
      host.answer(with: Int(BL_ERROR_UNAVAILABLE))
      _ = host.render([ones], frames: 256)
      host.answer(with: Int(BL_OK))
      _ = host.render([ones], frames: 64)
    }
    host.receiveReports()
    let faults = host.reports.filter { $0.type == BL_REPORT_UNAVAILABLE }.map(\.fault)
    #expect(faults.map { Int($0.count) }.reduce(0, +) == 3 && faults.allSatisfy { $0.node == 0 })
  }

  @Test func aUnitThatIsRenderedHereFailsWithIt() throws {
    let host = KernelHost()
    host.addElsewhere(TestUnit.scale.descriptor, isDeferred: false)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    #expect(host.render([ones], frames: 64)[0].allSatisfy { $0 == 0 })
    #expect(host.count(BL_REPORT_RENDER_FAILED) == 1 && host.count(BL_REPORT_UNAVAILABLE) == 0)
  }

  @Test func aUnitThatFailsForGoodIsSilent() throws {
    let host = try oneUnit()
    _ = host.render([ones], frames: 64)
    host.answer(with: Int(BL_ERROR_CANNOT_RENDER))
    #expect(host.render([ones], frames: 64)[0].allSatisfy { $0 == 0 })
    // The unit's last output was silence, so the crossfade starts at 0.
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    let output = host.render([ones], frames: 1024)[0]
    #expect(output[0] == 0 && output[1023] == 1 && Signals.largestStep(output) < 0.0022)
  }

  /// A bypassed unit passes its input on, even if rendering fails, and if its output lies in its
  /// own memory.
  @Test(arguments: [TestUnit.scale, .scaleApart, .latent, .provider], [true, false])
  func aBypassedUnitThatFailsIsPassedBy(unit: TestUnit, isDeferred: Bool) throws {
    let host = KernelHost()
    host.addElsewhere(unit.descriptor, parameters: [(0, 2)], isDeferred: isDeferred)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = true }
    _ = host.render([ones], frames: 2048)
    for status in [BL_ERROR_CANNOT_RENDER, BL_OK] {
      host.answer(with: Int(status))
      #expect(host.render([ones], frames: 2048)[0].allSatisfy { $0 == 1 })
    }
    #expect(host.count(BL_REPORT_RENDER_FAILED) == 1)
  }

  @Test func othersHearTheInputToo() throws {
    let host = KernelHost()
    for _ in 0..<2 { host.addElsewhere(TestUnit.scale.descriptor, parameters: [(0, 2)]) }
    host.play(
      try host.lower(
        [
          KernelHost.cable(nil, 0), KernelHost.cable(0, 1), KernelHost.cable(0, nil),
          KernelHost.cable(1, nil, to: 1),
        ], outputs: [1, 1]))
    _ = host.render([ones], frames: 64)
    host.answer(with: Int(BL_ERROR_UNAVAILABLE))
    host.answer(1, with: Int(BL_ERROR_UNAVAILABLE))
    let both = host.render([ones], frames: 1024)
    #expect(both[0][1023] == 1 && both[1][1023] == 1)
    host.answer(1, with: Int(BL_OK))
    let second = host.render([ones], frames: 1024)
    #expect(second[0].allSatisfy { $0 == 1 } && second[1][0] == 1 && second[1][1023] == 2)
  }
}
