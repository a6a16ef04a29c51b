import BacklineTestSupport
import CKernel
import CTestUnits
import CUnit
import Foundation
import Testing

/// Audio modulates parameters. The modulated unit renders its parameter, `factor`.
@Suite struct ModulationTests {
  private static let step = Int(BL_MODULATION_STEP)
  /// The width of the range of `factor`.
  private static let travel = range.upperBound - range.lowerBound
  private static let range: ClosedRange<Float> = -10...10

  private static func sine(_ frequency: Double, frames: Int, phase: Double = 0) -> [Float] {
    (0..<frames).map { Float(sin(2 * .pi * (frequency * Double($0) / 48_000 + phase))) }
  }

  /// Returns the expected factor: linear ramps between the modulated values on a grid of
  /// BL_MODULATION_STEP frames. `base` is the knob's value.
  private static func expected(
    _ moves: (Int) -> Float, base: (Int) -> Float = { _ in 1 }, frames: Int
  ) -> [Float] {
    func value(_ frame: Int) -> Float {
      min(max(base(frame) + travel * moves(frame), range.lowerBound), range.upperBound)
    }
    return (0..<frames).map { frame in
      let grid = frame / step * step
      let before = grid == 0 ? base(0) : value(grid - step)
      return before + (value(grid) - before) * Float(frame - grid) / Float(step)
    }
  }

  private static func host(
    _ modulations: [bl_modulation], inputs: [UInt32] = [1], threads: Int = 1
  ) throws -> KernelHost {
    let host = KernelHost(threads: threads)
    host.add(bl_test_units(BL_TEST_PROVIDER), inputs: [])
    host.play(
      try host.lower([KernelHost.cable(0, nil)], inputs: inputs, modulations: modulations))
    return host
  }

  private static func distance(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).map { abs($0 - $1) }.max() ?? .infinity
  }

  private func isNear(_ sample: Float?, _ value: Float) -> Bool {
    abs((sample ?? .nan) - value) < 1e-5
  }

  @Test func aParameterFollowsTheSoundAroundItsKnob() throws {
    let frames = 9600
    let sine = Self.sine(5, frames: frames)
    let host = try Self.host([KernelHost.modulation(nil, 0, depth: 0.1)])
    let heard = host.render([sine], frames: frames)[0]
    #expect(Self.distance(heard, Self.expected({ 0.1 * sine[$0] }, frames: frames)) < 1e-5)
    // The knob has not moved.
    #expect(bl_node_value(host.nodes[0], 0) == 1)
  }

  @Test func severalAreAddedUpAndBentAndHeldWithinTheRange() throws {
    let frames = 4800
    let (one, other) = (Self.sine(7, frames: frames), Self.sine(11, frames: frames, phase: 0.3))
    let host = try Self.host(
      [
        KernelHost.modulation(nil, 0, depth: 0.5),
        KernelHost.modulation(nil, 0, depth: -0.25, from: 1, isSquared: true),
      ], inputs: [1, 1])
    let heard = host.render([one, other], frames: frames)[0]
    let expected = Self.expected(
      { 0.5 * one[$0] - 0.25 * other[$0] * abs(other[$0]) }, frames: frames)
    #expect(Self.distance(heard, expected) < 1e-5)
    #expect(heard.max() == 10)
  }

  @Test(arguments: [1, 2]) func theResultDoesNotDependOnCycles(threads: Int) throws {
    let frames = 5000
    let sine = Self.sine(37, frames: frames)
    var results: [[Float]] = []
    for cycles in [[64], [1], [7, 100, 31], [1024], [32], [33]] {
      let host = try Self.host([KernelHost.modulation(nil, 0, depth: 0.3)], threads: threads)
      host.schedule(0, value: 3, ramp: 777, at: 1001)
      results.append(host.render([sine], frames: frames, cycles: cycles)[0])
    }
    #expect(results.allSatisfy { $0 == results[0] })
  }

  /// The unit gets the sum of the knob's value and the modulation, and never the knob's moves
  /// alone.
  @Test func theKnobMovesTheCentre() throws {
    let frames = 4800
    let sine = Self.sine(20, frames: frames)
    let host = try Self.host([KernelHost.modulation(nil, 0, depth: 0.05)])
    host.schedule(0, value: 4, ramp: 960, at: 960)
    let heard = host.render([sine], frames: frames)[0]
    let expected = Self.expected(
      { 0.05 * sine[$0] },
      base: { 1 + 3 * min(max(Float($0 - 960) / 960, 0), 1) }, frames: frames)
    #expect(Self.distance(heard, expected) < 1e-4)
    #expect(bl_node_value(host.nodes[0], 0) == 4)
  }

  /// The modulating unit is rendered before its target, wherever it is in the list of units, and
  /// its buffer is not reused before that.
  @Test func aUnitModulatesAnother() throws {
    let host = KernelHost()
    host.add(bl_test_units(BL_TEST_PROVIDER), inputs: [])
    host.add(bl_test_units(BL_TEST_SCALE), parameters: [(0, 0.5)])
    host.play(
      try host.lower(
        [KernelHost.cable(nil, 1), KernelHost.cable(0, nil)],
        modulations: [KernelHost.modulation(1, 0, depth: 0.1)]))
    let sine = Self.sine(5, frames: 4800)
    let heard = host.render([sine], frames: 4800)[0]
    #expect(Self.distance(heard, Self.expected({ 0.05 * sine[$0] }, frames: 4800)) < 1e-5)
  }

  @Test func aLoopNeedsToBeLate() throws {
    let host = KernelHost()
    host.add(bl_test_units(BL_TEST_SCALE), parameters: [(0, 1)])
    let cables = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]
    #expect(throws: KernelHost.LoweringError.self) {
      try host.lower(cables, modulations: [KernelHost.modulation(0, 0, depth: 0.1)])
    }
    host.play(
      try host.lower(cables, modulations: [KernelHost.modulation(0, 0, depth: 0.1, isLate: true)]))
    // The unit's output of 0.5 raises the factor by 1 in the next cycle.
    let heard = host.render([Signals.constant(0.5, frames: 4096)], frames: 4096)[0]
    #expect(heard[..<64].allSatisfy { $0 == 0.5 })
    #expect(abs(heard[128] - 1) < 1e-5)
  }

  /// The parameter returns to the knob's value when its modulation is removed; a modulation that
  /// stays does not jump.
  @Test func modulationsComeAndGo() throws {
    let host = KernelHost()
    host.add(bl_test_units(BL_TEST_PROVIDER), inputs: [])
    func play(
      _ modulations: [bl_modulation], after previous: OpaquePointer?
    ) throws -> OpaquePointer {
      let graph = try host.lower(
        [KernelHost.cable(0, nil)], inputs: [1], previous: previous, modulations: modulations)
      host.play(graph)
      return graph
    }
    let ones = [Signals.constant(1, frames: 2400)]
    let plain = try play([], after: nil)
    #expect(host.render(ones, frames: 2400)[0].allSatisfy { $0 == 1 })
    let first = try play([KernelHost.modulation(nil, 0, depth: 0.1)], after: plain)
    #expect(isNear(host.render(ones, frames: 2400)[0].last, 3))
    let second = try play([KernelHost.modulation(nil, 0, depth: 0.2)], after: first)
    let between = host.render(ones, frames: 2400)[0]
    #expect(isNear(between[0], 3) && isNear(between.last, 5))
    #expect(zip(between, between.dropFirst()).allSatisfy { abs($1 - $0) < 0.1 })
    _ = try play([], after: second)
    let after = host.render(ones, frames: 2400)[0]
    #expect(isNear(after[0], 5) && after.last == 1)
    #expect(zip(after, after.dropFirst()).allSatisfy { abs($1 - $0) < 0.1 })
  }

  /// A modulation's start and a change of its depth fade within 20 ms; a modulation that is the
  /// same in the next graph continues, with its delay.
  @Test func changesFade() throws {
    let host = KernelHost()
    host.add(bl_test_units(BL_TEST_SCALE), parameters: [(0, 1)])
    func play(_ modulations: [bl_modulation], after previous: OpaquePointer?) throws
      -> OpaquePointer
    {
      let graph = try host.lower(
        [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)], inputs: [1, 1], previous: previous,
        modulations: modulations)
      host.play(graph)
      return graph
    }
    let ones = [[Float]](repeating: Signals.constant(1, frames: 4096), count: 2)
    let plain = try play([], after: nil)
    _ = host.render(ones, frames: 4096)
    let late = KernelHost.modulation(nil, 0, depth: 0.1, from: 1, isLate: true)
    let first = try play([late], after: plain)
    let started = host.render(ones, frames: 4096)[0]
    #expect(isNear(started.last, 3))
    let second = try play([late], after: first)
    #expect(host.render(ones, frames: 4096)[0].allSatisfy { isNear($0, 3) })
    _ = try play([KernelHost.modulation(nil, 0, depth: 0.4, from: 1)], after: second)
    let changed = host.render(ones, frames: 4096)[0]
    #expect(isNear(changed.last, 9))
    // The factor rises by 6 within 960 frames.
    #expect(zip(changed, changed.dropFirst()).allSatisfy { abs($1 - $0) < 0.02 })
  }

  /// Without a graph, a modulated parameter returns to the knob's value at once.
  @Test func theKnobComesBackWithoutAGraph() throws {
    let host = try Self.host([KernelHost.modulation(nil, 0, depth: 0.1)])
    let ones = [Signals.constant(1, frames: 1024)]
    _ = host.render(ones, frames: 1024)
    host.playNothing()
    _ = host.render(ones, frames: 64)
    let unit = host.units[0]
    #expect(bl_test_units(BL_TEST_PROVIDER).pointee.parameter_value(unit, 0) == 1)
  }

  /// A move of the knob is recorded even if it does not reach the unit, because the modulated value
  /// stays at the end of its range.
  @Test func movesOfTheKnobAreNoted() throws {
    let host = try Self.host([KernelHost.modulation(nil, 0, depth: 1)])
    let ones = [Signals.constant(1, frames: 1024)]
    _ = host.render(ones, frames: 1024)
    let count = bl_node_change_count(host.nodes[0])
    host.schedule(0, value: 2, at: 1030)
    _ = host.render(ones, frames: 1024)
    #expect(bl_node_value(host.nodes[0], 0) == 2)
    #expect(bl_node_change_count(host.nodes[0]) > count)
  }

  @Test func wrongOnesAreRefused() throws {
    let host = KernelHost()
    host.add(bl_test_units(BL_TEST_PROVIDER), inputs: [])
    func refusal(_ modulations: [bl_modulation]) -> String {
      do {
        bl_graph_destroy(try host.lower([KernelHost.cable(0, nil)], modulations: modulations))
        return ""
      } catch {
        return (error as? KernelHost.LoweringError)?.message ?? ""
      }
    }
    let good = KernelHost.modulation(nil, 0, depth: 1)
    #expect(refusal([good]) == "")
    #expect(refusal([good, good]) == "two modulations are the same")
    #expect(
      refusal([KernelHost.modulation(nil, 0, parameter: 9, depth: 1)])
        == "the target of a modulation does not exist")
    #expect(
      refusal([KernelHost.modulation(3, 0, depth: 1)])
        == "the source of a modulation does not exist")
    #expect(
      refusal([KernelHost.modulation(nil, 0, depth: .nan)])
        == "the depth of a modulation is not finite")
  }
}
