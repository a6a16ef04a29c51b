import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// A unit in another process gets its cycle as soon as its input is rendered; the kernel waits for
/// its output as late as possible.
struct DeferredTests {
  private typealias Host = KernelHost
  private let log = CallLog()
  private let host = KernelHost()
  private let input = noise(4096)

  @discardableResult
  private func elsewhere(_ unit: TestUnit = .scale, inputs: Int = 1) -> Int {
    host.addElsewhere(
      unit.descriptor, inputs: Array(repeating: 1, count: inputs), log: log)
  }

  @discardableResult
  private func here(_ unit: TestUnit = .scale, inputs: Int = 1) -> Int {
    host.addElsewhere(
      unit.descriptor, inputs: Array(repeating: 1, count: inputs), isDeferred: false, log: log)
  }

  private func calls(frames: Int = 64) -> [CallLog.Call] {
    _ = host.render([input], frames: frames)
    return log.popAll()
  }

  private func expectNoFaults() {
    for unit in host.units { #expect(bl_test_deferred_faults(unit) == 0) }
  }

  @Test func branchesAreHandedOutTogetherAndTheHostRendersMeanwhile() throws {
    let (one, other, own, sum) = (elsewhere(), elsewhere(), here(), here(.sum, inputs: 3))
    host.play(
      try host.lower([
        Host.cable(nil, one), Host.cable(nil, other), Host.cable(nil, own), Host.cable(one, sum),
        Host.cable(other, sum, to: 1), Host.cable(own, sum, to: 2), Host.cable(sum, nil),
      ]))
    #expect(
      calls() == [
        .begin(one), .begin(other), .render(own), .render(one), .render(other), .render(sum),
      ])
    expectNoFaults()
  }

  @Test func whatIsAwaitedElsewhereIsRenderedFirst() throws {
    let (own, before, remote) = (here(), here(), elsewhere())
    host.play(
      try host.lower(
        [
          Host.cable(nil, own), Host.cable(own, nil), Host.cable(nil, before),
          Host.cable(before, remote), Host.cable(remote, nil, to: 1),
        ], outputs: [1, 1]))
    #expect(calls() == [.render(before), .begin(remote), .render(own), .render(remote)])
    expectNoFaults()
  }

  @Test func aRowHandsOn() throws {
    let row = (0..<3).map { _ in elsewhere() }
    host.play(try host.lower(Self.row(row)))
    let handedOn: [CallLog.Call] = [
      .begin(0), .begin(1, behind: 0), .begin(2, behind: 1), .render(0), .render(1), .render(2),
    ]
    #expect(calls() == handedOn)
    host.send(BL_COMMAND_SET_BYPASS, to: 1) { $0.bypassed = true }
    let apart: [CallLog.Call] = [
      .begin(0), .render(0), .begin(1), .render(1), .begin(2), .render(2),
    ]
    #expect(calls() == apart)
    host.send(BL_COMMAND_SET_BYPASS, to: 1) { $0.bypassed = false }
    #expect(calls() == apart, "while it crossfades")
    _ = calls(frames: 1024)
    #expect(calls() == handedOn)
    expectNoFaults()
  }

  private static func row(_ units: [Int], flags: Int = 0) -> [bl_cable] {
    let inner = zip(units, units.dropFirst()).map { Host.cable($0, $1, flags: flags) }
    return [Host.cable(nil, units[0])] + inner + [Host.cable(units[units.count - 1], nil)]
  }

  @Test func aUnitThatDoesNotAnswerOrRecoversHandsNothingOn() throws {
    elsewhere()
    elsewhere()
    host.play(try host.lower(Self.row([0, 1])))
    let apart: [CallLog.Call] = [.begin(0), .render(0), .begin(1), .render(1)]
    let handedOn: [CallLog.Call] = [.begin(0), .begin(1, behind: 0), .render(0), .render(1)]
    host.answer(0, with: Int(BL_ERROR_UNAVAILABLE))
    #expect(calls() == handedOn, "nobody knows yet")
    #expect(calls() == apart)
    host.answer(0, with: Int(BL_OK))
    _ = calls(frames: 2048)
    #expect(calls() == handedOn)
    host.answer(1, with: Int(BL_ERROR_UNAVAILABLE))
    _ = calls()
    #expect(calls() == apart)
    host.answer(1, with: Int(BL_OK))
    host.schedule(0, parameter: 1, value: 1, at: bl_kernel_sample_time(host.kernel))
    _ = calls()
    host.schedule(0, parameter: 1, value: 0, at: bl_kernel_sample_time(host.kernel))
    #expect(calls() == apart)
    _ = calls(frames: 2048)
    #expect(calls() == handedOn)
  }

  @Test func ofTwoReadersOneIsHandedOnTo() throws {
    let (first, one, other, sum) = (elsewhere(), elsewhere(), elsewhere(), here(.sum, inputs: 2))
    host.play(
      try host.lower([
        Host.cable(nil, first), Host.cable(first, one), Host.cable(first, other),
        Host.cable(one, sum), Host.cable(other, sum, to: 1), Host.cable(sum, nil),
      ]))
    #expect(
      calls() == [
        .begin(first), .begin(one, behind: first), .render(first), .begin(other), .render(one),
        .render(other), .render(sum),
      ])
    expectNoFaults()
  }

  @Test func aSidechainThatIsNotThereYetIsWaitedFor() throws {
    let (first, own, second) = (elsewhere(), here(), elsewhere(.sum, inputs: 2))
    host.play(
      try host.lower([
        Host.cable(nil, first), Host.cable(nil, own), Host.cable(first, second),
        Host.cable(own, second, to: 1), Host.cable(second, nil),
      ]))
    #expect(
      calls() == [.begin(first), .render(own), .render(first), .begin(second), .render(second)])
    expectNoFaults()
  }

  @Test func aSidechainThatIsThereIsHandedOver() throws {
    let (own, first, second) = (here(), elsewhere(), elsewhere(.sum, inputs: 2))
    host.play(
      try host.lower([
        Host.cable(nil, own), Host.cable(own, first), Host.cable(first, second),
        Host.cable(own, second, to: 1), Host.cable(nil, second, to: 1), Host.cable(second, nil),
      ]))
    #expect(
      calls() == [
        .render(own), .begin(first), .begin(second, behind: first), .render(first), .render(second),
      ])
    expectNoFaults()
  }

  @Test func whatFadesIsNotHandedOn() throws {
    elsewhere()
    elsewhere()
    host.play(try host.lower(Self.row([0, 1], flags: BL_CABLE_FADE_IN)))
    #expect(calls() == [.begin(0), .render(0), .begin(1), .render(1)])
    expectNoFaults()
  }

  @Test func whatWaitsForALongerPathIsNotHandedOn() throws {
    let (late, first, second) = (here(.latent), elsewhere(), elsewhere(.sum, inputs: 2))
    host.play(
      try host.lower([
        Host.cable(nil, late), Host.cable(nil, first), Host.cable(first, second),
        Host.cable(late, second, to: 1), Host.cable(second, nil),
      ]))
    #expect(
      calls() == [.begin(first), .render(late), .render(first), .begin(second), .render(second)])
    expectNoFaults()
  }

  @Test func midiIsThereBeforeAUnitIsHandedItsCycle() throws {
    let transposer = BuiltInUnit("aumi/trns/bkln").descriptor
    let sender = host.addElsewhere(
      transposer, inputs: [], outputs: [], parameters: [(0, 12)], isDeferred: false, log: log)
    let remote = host.addElsewhere(
      transposer, inputs: [], outputs: [], parameters: [(0, 12)], log: log)
    let (first, second) = (elsewhere(), elsewhere())
    host.play(
      try host.lower(
        Self.row([first, second]),
        midi: [Host.midi(nil, sender), Host.midi(sender, remote), Host.midi(remote, second)]))
    _ = host.render([input], frames: 64, midi: [.init([0x90, 36, 100], at: 9)])
    #expect(
      log.popAll() == [
        .begin(first), .render(sender), .begin(remote), .render(first), .render(remote),
        .begin(second), .render(second),
      ])
    let event = bl_test_event(bl_test_deferred_inner(host.units[second]), 0)
    #expect(event.sample_time == 9 && event.midi.bytes.1 == 60)
    expectNoFaults()
  }

  @Test func aUnitThatLosesItsAnswerEndsItsNotes() throws {
    let remote = host.addElsewhere(
      BuiltInUnit("aumi/trns/bkln").descriptor, inputs: [], outputs: [], parameters: [(0, 12)])
    host.play(
      try host.lower(
        [], midi: [Host.midi(nil, remote), Host.midi(remote, nil)], midiOutputs: 1))
    _ = host.render([input], frames: 64, midi: [.init([0x90, 36, 100], at: 9)])
    #expect(host.midiOutput == [.init([0x90, 48, 100], at: 9)])
    host.answer(remote, with: Int(BL_ERROR_UNAVAILABLE))
    host.midiOutput = []
    _ = host.render([input], frames: 128)
    #expect(host.midiOutput == [.init([0x80, 48, 64], at: 0)])
  }

  @Test func feedbackComesFromTheStretchBefore() throws {
    elsewhere()
    host.addElsewhere(TestUnit.scale.descriptor, parameters: [(0, 0.5)], log: log)
    host.play(
      try host.lower(
        Self.row([0, 1]) + [Host.cable(1, 0, flags: BL_CABLE_FEEDBACK)]))
    #expect(calls() == [.begin(0), .begin(1, behind: 0), .render(0), .render(1)])
    let output = host.render([[1] + [Float](repeating: 0, count: 255)], frames: 256)[0]
    #expect(
      stride(from: 64, to: 256, by: 64).map { output[$0] / output[$0 - 64] }.allSatisfy {
        $0.isFinite
      })
    expectNoFaults()
  }
}
