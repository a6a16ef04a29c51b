import BacklineTestSupport
import CKernel
import CTestUnits
import Foundation
import Testing
import UnitMeasurement

/// Feedback, latency, bypass, and the replacement of a graph.
struct TransitionTests {
  private let ones = [Float](repeating: 1, count: 8192)

  private func largestStep(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test func aLoopIsRefusedUnlessMarked() throws {
    let host = KernelHost()
    let one = host.add(TestUnit.scale.descriptor)
    let other = host.add(TestUnit.scale.descriptor)
    let cables = [
      KernelHost.cable(nil, one), KernelHost.cable(one, other), KernelHost.cable(other, nil),
    ]
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower(cables + [KernelHost.cable(other, one)])
    }
    bl_graph_destroy(
      try host.lower(cables + [KernelHost.cable(other, one, flags: BL_CABLE_FEEDBACK)]))
  }

  @Test(arguments: [
    KernelHost.cable(9, nil), KernelHost.cable(0, nil, from: 1), KernelHost.cable(nil, 0, to: 1),
    KernelHost.cable(nil, nil, from: 3), KernelHost.cable(0, nil, to: 1),
  ])
  func aCableIntoNowhereIsRefused(cable: bl_cable) {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower([KernelHost.cable(nil, 0), cable], outputs: [2])
    }
  }

  @Test func cyclesLongerThanAUnitTakesAreRefused() {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower([KernelHost.cable(0, nil)], maximumFrames: KernelHost.maximumFrames + 1)
    }
  }

  @Test(arguments: [TestUnit.scale, .scaleApart])
  func aUnitThatSpillsHearsItsInputAgainAfterTheBypass(unit: TestUnit) throws {
    let host = KernelHost()
    for _ in 0..<2 { host.add(unit.descriptor, parameters: [(0, 2)]) }
    #expect(bl_node_set_spills(host.nodes[1], true))
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, 1), KernelHost.cable(1, nil)]))
    let input = noise(4096)
    #expect(host.render([input], frames: 4096)[0] == input.map { $0 * 4 })
    for (bypassed, factor) in [(true, Float(2)), (false, 4)] {
      host.send(BL_COMMAND_SET_BYPASS, to: 1) { $0.bypassed = bypassed }
      let output = host.render([input], frames: 4096)[0]
      #expect(output[1024...].elementsEqual(input[1024...].map { $0 * factor }))
    }
  }

  @Test(arguments: [[1], [17], [63], [64], [65], [128], [100, 28], [1000]], [16, 128, 1024])
  func feedbackIs64FramesLateWhateverTheCycle(cycles: [Int], maximumFrames: Int) throws {
    let host = KernelHost()
    let unit = host.add(TestUnit.scale.descriptor, parameters: [(0, 0.5)])
    host.play(
      try host.lower(
        [
          KernelHost.cable(nil, unit), KernelHost.cable(unit, nil),
          KernelHost.cable(unit, unit, flags: BL_CABLE_FEEDBACK),
        ], maximumFrames: maximumFrames))
    var impulse = [Float](repeating: 0, count: 1000)
    impulse[3] = 1
    let output = host.render([impulse], frames: 1000, cycles: cycles)[0]
    for frame in output.indices {
      let turns = (frame - 3) / 64
      let expected: Float =
        frame >= 3 && (frame - 3) % 64 == 0 ? 1 / Float(1 << (turns + 1)) : 0
      #expect(output[frame] == expected, "frame \(frame)")
    }
  }

  @Test func parallelPathsArriveTogether() throws {
    let host = KernelHost()
    let late = host.add(TestUnit.latent.descriptor)
    let prompt = host.add(TestUnit.scale.descriptor)
    let graph = try host.lower([
      KernelHost.cable(nil, late), KernelHost.cable(nil, prompt), KernelHost.cable(late, nil),
      KernelHost.cable(prompt, nil),
    ])
    #expect(bl_graph_latency(graph, 0) == UInt32(BL_TEST_LATENCY))
    host.play(graph)
    var impulse = [Float](repeating: 0, count: 300)
    impulse[10] = 1
    var expected = [Float](repeating: 0, count: 300)
    expected[10 + Int(BL_TEST_LATENCY)] = 2
    #expect(host.render([impulse], frames: 300, cycles: [16]) == [expected])
  }

  @Test(arguments: [TestUnit.scale, .scaleApart])
  func bypassCrossfadesAndTheUnitGoesOn(unit: TestUnit) throws {
    let host = KernelHost()
    host.add(unit.descriptor, parameters: [(0, 3)])
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    #expect(host.render([ones], frames: 100)[0].allSatisfy { $0 == 3 })
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = true }
    let away = host.render([ones], frames: 1000)[0]
    #expect(away[0] == 3 && away[999] == 1 && largestStep(away) < 0.006)
    host.schedule(0, value: 5, at: 0)
    #expect(host.render([ones], frames: 100)[0].allSatisfy { $0 == 1 })
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = false }
    let back = host.render([ones], frames: 1000)[0]
    #expect(back[0] == 1 && back[999] == 5 && largestStep(back) < 0.012)
  }

  /// The bypass crossfades from an inverted tone to the tone, the largest possible change.
  @Test func bypassAddsNothingToAToneThatIsHeardApart() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor, parameters: [(0, -1)])
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    let tone = Signals.sine(frequency: 1000, amplitude: 0.5, frames: 24_000)
    let before = host.render([tone], frames: 24_000)[0]
    host.send(BL_COMMAND_SET_BYPASS, to: 0) { $0.bypassed = true }
    let after = host.render([tone], frames: 24_000)[0]
    let spectrum = LineSpectrum(Array((before + after)[8000..<40_768]))
    #expect(spectrum.peak(from: 2000, to: 24_000) - spectrum.level(at: 1000) < -80)
  }

  @Test func aBypassedUnitKeepsItsLatency() throws {
    let host = KernelHost()
    host.add(TestUnit.latent.descriptor)
    bl_node_set_bypassed(host.nodes[0], true)
    host.play(try host.lower([KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]))
    let input = noise(500)
    let output = host.render([input], frames: 500, cycles: [33])[0]
    #expect(Array(output[Int(BL_TEST_LATENCY)...]) == Array(input[..<(500 - Int(BL_TEST_LATENCY))]))
  }

  @Test func aNewGraphTakesOverWithFadesAndTheOldOneRetires() throws {
    let host = KernelHost()
    let old = host.add(TestUnit.scale.descriptor, parameters: [(0, 2)])
    let new = host.add(TestUnit.scale.descriptor, parameters: [(0, 4)])
    host.play(try host.lower([KernelHost.cable(nil, old), KernelHost.cable(old, nil)]))
    var output = host.render([ones], frames: 640)[0]
    host.play(
      try host.lower([
        KernelHost.cable(nil, old), KernelHost.cable(nil, new),
        KernelHost.cable(old, nil, flags: BL_CABLE_FADE_OUT),
        KernelHost.cable(new, nil, flags: BL_CABLE_FADE_IN),
      ]))
    output += host.render([ones], frames: 1024)[0]
    #expect(host.count(BL_REPORT_FADES_FINISHED) == 1)
    host.play(try host.lower([KernelHost.cable(nil, new), KernelHost.cable(new, nil)]))
    output += host.render([ones], frames: 640)[0]
    #expect(host.count(BL_REPORT_GRAPH_RETIRED) == 2)
    #expect(output.first == 2 && output.last == 4)
    // The steepest slope of 2 · (3u² - 2u³) over 480 frames: 2 × 1.5 / 480.
    #expect(largestStep(output) < 0.0063)
  }

  /// A spillover keeps its delay when the graph's latency changes, and delays no other path.
  @Test func aTrailKeepsItsTimeAndHoldsNobodyUp() throws {
    let host = KernelHost()
    let scale = host.add(TestUnit.scale.descriptor, parameters: [(0, 1)])
    let late = host.add(TestUnit.late.descriptor, parameters: [(0, 300)])
    let both = [
      KernelHost.cable(nil, scale), KernelHost.cable(scale, nil), KernelHost.cable(nil, late),
      KernelHost.cable(late, nil),
    ]
    let first = try host.lower(both)
    host.play(first)
    _ = host.render([ones], frames: 960)
    // The delay line still holds 300 frames of the earlier input.
    let second = try host.lower(
      [
        KernelHost.cable(nil, scale, flags: BL_CABLE_FADE_OUT),
        KernelHost.cable(scale, nil, flags: BL_CABLE_SPILLOVER), KernelHost.cable(nil, late),
        KernelHost.cable(late, nil),
      ], previous: first)
    host.play(second)
    let heard = host.render([ones], frames: 960)[0]
    #expect(heard[..<300].allSatisfy { $0 == 2 })
    #expect(heard[780...].allSatisfy { $0 == 1 })
    let third = try host.lower(
      [KernelHost.cable(nil, nil), KernelHost.cable(late, nil, flags: BL_CABLE_SPILLOVER)],
      previous: second)
    #expect(bl_graph_latency(third, 0) == 0)
    bl_graph_destroy(third)
  }

  /// Replacing a unit by an equal one is inaudible, whatever its latency.
  @Test(arguments: [0, 37, 300], [[64], [1], [1000, 24]])
  func aUnitReplacedByItsLikeIsNotHeard(latency: Int, cycles: [Int]) throws {
    let sine = (0..<9600).map { Float(sin(2 * Double.pi * 110 * Double($0) / 48_000)) * 0.5 }
    for input in [ones, sine] {
      let host = KernelHost()
      let old = host.add(TestUnit.late.descriptor, parameters: [(0, Float(latency))])
      let new = host.add(TestUnit.late.descriptor, parameters: [(0, Float(latency))])
      let both = [KernelHost.cable(nil, nil)]
      let first = try host.lower(
        both + [KernelHost.cable(nil, old), KernelHost.cable(old, nil)], unitCount: 1)
      host.play(first)
      var output = host.render([input], frames: 960, cycles: cycles)[0]
      let second = try host.lower(
        both + [
          KernelHost.cable(nil, old), KernelHost.cable(nil, new, flags: BL_CABLE_LEAD_IN),
          KernelHost.cable(old, nil, flags: BL_CABLE_FADE_OUT),
          KernelHost.cable(new, nil, flags: BL_CABLE_FADE_IN),
        ], previous: first)
      #expect(bl_graph_fades(second))
      host.play(second)
      output += host.render([Array(input[960...])], frames: 3840, cycles: cycles)[0]
      #expect(host.count(BL_REPORT_FADES_FINISHED) == 1)
      host.play(
        try host.lower(
          both + [KernelHost.cable(nil, new), KernelHost.cable(new, nil)], previous: second))
      output += host.render([Array(input[4800...])], frames: 1920, cycles: cycles)[0]
      let wrong = output.indices.dropFirst(latency).first {
        abs(output[$0] - 2 * input[$0 - latency]) > 1e-5
      }
      #expect(wrong == nil)
    }
  }

  /// The fade-in at the input of a new unit with latency also appears at its output.
  @Test func aNewUnitsInputDoesNotBeginWithAStep() throws {
    let host = KernelHost()
    let late = host.add(TestUnit.late.descriptor, parameters: [(0, 1000)])
    host.play(try host.lower([], unitCount: 0))
    _ = host.render([ones], frames: 64)
    host.play(
      try host.lower([
        KernelHost.cable(nil, late, flags: BL_CABLE_LEAD_IN),
        KernelHost.cable(late, nil, flags: BL_CABLE_FADE_IN),
      ]))
    let output = host.render([ones], frames: 4096)[0]
    #expect(output.last == 1 && largestStep(output) < 0.004)
  }

  @Test func anEditElsewhereLeavesDelaysFull() throws {
    let host = KernelHost()
    let late = host.add(TestUnit.latent.descriptor)
    let prompt = host.add(TestUnit.scale.descriptor)
    let other = host.add(TestUnit.scale.descriptor)
    let cables = [
      KernelHost.cable(nil, late), KernelHost.cable(nil, prompt), KernelHost.cable(late, nil),
      KernelHost.cable(prompt, nil),
    ]
    let first = try host.lower(cables, outputs: [1, 1])
    host.play(first)
    var output = host.render([ones], frames: 640)[0]
    host.play(
      try host.lower(
        cables + [KernelHost.cable(nil, other), KernelHost.cable(other, nil, to: 1)],
        outputs: [1, 1], previous: first))
    output += host.render([ones], frames: 640)[0]
    #expect(output[(Int(BL_TEST_LATENCY))...].allSatisfy { $0 == 2 })
  }

  @Test(arguments: [true, false])
  func aPathThatBecomesLaterDoesNotClick(adding: Bool) throws {
    let host = KernelHost()
    let late = host.add(TestUnit.latent.descriptor, parameters: [(0, 0.25)])
    let plain = [KernelHost.cable(nil, nil)]
    let wide = plain + [KernelHost.cable(nil, late), KernelHost.cable(late, nil)]
    let sine = (0..<4800).map { Float(sin(2 * Double.pi * 100 * Double($0) / 48_000)) * 0.5 }
    let first = try host.lower(adding ? plain : wide)
    host.play(first)
    var output = host.render([sine], frames: 960)[0]
    let second = try host.lower(
      adding
        ? plain
          + [
            KernelHost.cable(nil, late), KernelHost.cable(late, nil, flags: BL_CABLE_FADE_IN),
          ]
        : plain
          + [
            KernelHost.cable(nil, late), KernelHost.cable(late, nil, flags: BL_CABLE_FADE_OUT),
          ], previous: first)
    host.play(second)
    output += host.render([Array(sine[960...])], frames: 1920)[0]
    host.play(try host.lower(adding ? wide : plain, previous: second))
    output += host.render([Array(sine[2880...])], frames: 1920)[0]
    // The sine's own largest step is 0.0066, and the late path adds a quarter.
    #expect(largestStep(output) < 0.02)
  }

  @Test func aLineThatIsTooShortForTheCyclesIsMadeAnew() throws {
    let host = KernelHost()
    let late = host.add(TestUnit.latent.descriptor)
    let cables = [
      KernelHost.cable(nil, nil), KernelHost.cable(nil, late), KernelHost.cable(late, nil),
    ]
    let first = try host.lower(cables, maximumFrames: 64)
    host.play(first)
    _ = host.render([ones], frames: 640)
    host.play(try host.lower(cables, maximumFrames: 1024, previous: first))
    #expect(host.render([ones], frames: 4096, cycles: [1024])[0].last == 2)
  }

  @Test func aKeptInstrumentThatLosesItsKeyboardLetsGoOfItsNotes() throws {
    let host = KernelHost()
    host.add(TestUnit.scale.descriptor)
    let cables = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]
    host.play(try host.lower(cables, midi: [KernelHost.midi(nil, 0)]))
    _ = host.render([ones], frames: 64, midi: [.init([0x90, 60, 100], at: 3)])
    host.play(try host.lower(cables))
    _ = host.render([ones], frames: 64)
    let count = bl_test_event_count(host.units[0])
    #expect(count == 2)
    let last = bl_test_event(host.units[0], count - 1).midi.bytes
    #expect(last.0 == 0x80 && last.1 == 60)
  }

  @Test func withoutAGraphNothingIsWritten() {
    let host = KernelHost()
    #expect(bl_kernel_begin_cycle(host.kernel) == nil)
    #expect(host.render([ones], frames: 64).isEmpty)
  }

  /// A bypass copies one channel to all, mixes several into one as their mean, and otherwise maps
  /// each channel to the channel of the same number.
  @Test(
    arguments: [TestUnit.scale, .scaleApart, .provider, .latent],
    [(1, 1), (1, 3), (2, 1), (4, 1), (2, 2), (2, 4), (4, 2)])
  func bypassMindsTheChannels(unit: TestUnit, widths: (input: Int, output: Int)) throws {
    let host = KernelHost()
    let (from, to) = (UInt32(widths.input), UInt32(widths.output))
    host.add(unit.descriptor, inputs: [from], outputs: [to])
    bl_node_set_bypassed(host.nodes[0], true)
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], inputs: [from], outputs: [to]))
    let input = (0..<widths.input).map { noise(2048, seed: UInt32($0 + 1)) }
    let output = host.render(input, frames: 2048, cycles: [64, 1, 333])
    let late = unit.descriptor == TestUnit.latent.descriptor ? Int(BL_TEST_LATENCY) : 0
    for channel in 0..<widths.output {
      for frame in late..<2048 {
        let came = input.map { $0[frame - late] }
        let expected: Float =
          widths.output == 1
          ? came.reduce(0, +) / Float(widths.input)
          : widths.input == 1 ? came[0] : channel < widths.input ? came[channel] : 0
        guard abs(output[channel][frame] - expected) < 1e-6 else {
          Issue.record("channel \(channel), frame \(frame)")
          return
        }
      }
    }
  }
}
