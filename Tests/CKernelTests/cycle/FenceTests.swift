import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// An output that stays above its ceiling is faded out; the unit that caused it is reset and
/// reported.
struct FenceTests {
  private static let second = 48_000
  private static let ceiling = Float(7.943)
  private static let cycles = [[1], [64], [17, 480], [1024], [4000]]

  /// Returns a host with a chain of units, each of which multiplies by its factor.
  private func row(_ factors: [Float], ceiling: Float = Self.ceiling) throws -> KernelHost {
    let host = KernelHost()
    for factor in factors { host.add(TestUnit.scale.descriptor, parameters: [(0, factor)]) }
    let units = factors.indices.map(Optional.some)
    host.play(
      try host.lower(
        zip([nil] + units, units + [nil]).map { KernelHost.cable($0, $1) }, ceilings: [ceiling]))
    return host
  }

  private func reports(_ host: KernelHost) -> [bl_loud_report] {
    host.reports.filter { $0.type == BL_REPORT_TOO_LOUD }.map(\.loud)
  }

  private func resets(_ host: KernelHost) -> [Int] {
    host.units.map { Int(bl_test_reset_count($0)) }
  }

  /// Returns `count` frames of 0.5, with `level` at the frames `loud`.
  private func input(loud frames: Range<Int>, _ level: Float = 2, count: Int) -> [[Float]] {
    [(0..<count).map { frames.contains($0) ? level : 0.5 }]
  }

  @Test func lessThanTenMillisecondsPassAndWhatIsBelow() throws {
    let host = try row([8])
    let sound = (0..<20).reduce(into: [Float]()) { sound, _ in
      sound += input(loud: 100..<579, count: 1200)[0]
    }
    #expect(host.render([sound], frames: sound.count)[0] == sound.map { 8 * $0 })
    let quiet = Signals.constant(0.99, frames: Self.second)
    #expect(host.render([quiet], frames: Self.second)[0] == quiet.map { 8 * $0 })
    #expect(reports(host).isEmpty && resets(host) == [0])
  }

  /// The output fades out within 5 ms after 10 ms above the ceiling, and fades in a second later.
  @Test(arguments: cycles)
  func whatIsTooLoudIsFadedOutForASecond(cycles: [Int]) throws {
    let host = try row([8])
    let (start, count) = (1000, 2 * Self.second)
    let sound = input(loud: start..<start + 20_000, count: count)
    let output = host.render(sound, frames: count, cycles: cycles)[0]
    let closed = start + 480
    #expect(output[..<closed].elementsEqual(sound[0][..<closed].map { 8 * $0 }))
    let fade = output[closed..<closed + 240]
    #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(output[closed + 240..<closed + Self.second].allSatisfy { $0 == 0 })
    let back = output[(closed + Self.second)..<(closed + Self.second + 240)]
    #expect(zip(back, back.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(output[(closed + Self.second + 240)...].allSatisfy { $0 == 4 })
    let told = reports(host)
    #expect(told.count == 1 && told[0].node == 0 && told[0].output == 0 && told[0].peak == 16)
    #expect(resets(host) == [1])
  }

  /// A sine exceeds the ceiling only around its crests; the frames between them do not end the
  /// 10 ms.
  @Test(arguments: [30.0, 440, 9000])
  func aToneIsFadedOutWhateverItsPitch(frequency: Double) throws {
    let host = try row([10])
    let sine = Signals.sine(frequency: frequency, amplitude: 2, frames: Self.second)
    let output = host.render([sine], frames: Self.second)[0]
    let half = Int(48_000 / frequency / 2)
    #expect(output[(480 + half + 240)...].allSatisfy { $0 == 0 })
    #expect(reports(host).count == 1)
  }

  @Test func whatStaysTooLoudStaysClosed() throws {
    let host = try row([8])
    let count = 3 * Self.second
    let output = host.render(input(loud: 0..<count, count: count), frames: count)[0]
    #expect(output[720...].allSatisfy { $0 == 0 })
    #expect(reports(host).count == 3 && resets(host) == [3])
  }

  @Test func noCeilingIsNoFence() throws {
    let host = try row([10, 10], ceiling: .infinity)
    let sound = input(loud: 0..<Self.second, 10, count: Self.second)
    #expect(host.render(sound, frames: Self.second)[0] == sound[0].map { 100 * $0 })
    #expect(reports(host).isEmpty)
  }

  /// The cause is the first unit whose output is loud and whose input is not; no unit if the rack's
  /// input is loud already.
  @Test(
    arguments: [
      ([1, 10, 0.9], 2, 1), ([10, 0.1, 10, 1], 2, 2), ([1, 1], 20, UInt32.max), ([3, 4], 2, 1),
    ] as [([Float], Float, UInt32)])
  func whatMadeItLoudIsFound(factors: [Float], level: Float, cause: UInt32) throws {
    let host = try row(factors)
    let count = Self.second
    _ = host.render(input(loud: 0..<count, level, count: count), frames: count, cycles: [1024])
    #expect(reports(host).map(\.node) == [cause])
    #expect(resets(host) == factors.indices.map { UInt32($0) == cause ? 1 : 0 })
  }

  /// The burst has ended before the kernel examines the units; their meters still hold its peak.
  @Test func aBurstIsNamedToo() throws {
    let host = try row([1, 10, 1])
    _ = host.render(input(loud: 0..<600, count: Self.second), frames: Self.second, cycles: [1024])
    #expect(reports(host).map(\.node) == [1] && resets(host) == [0, 1, 0])
  }

  /// A feedback loop that runs away is silenced together with its feedback cable, and stays silent.
  @Test(arguments: cycles)
  func aLoopIsSilenced(cycles: [Int]) throws {
    let host = KernelHost()
    let sum = host.add(TestUnit.sum.descriptor, inputs: [1, 1])
    let gain = host.add(TestUnit.scale.descriptor, parameters: [(0, 1.5)])
    host.play(
      try host.lower(
        [
          KernelHost.cable(nil, sum), KernelHost.cable(sum, gain), KernelHost.cable(gain, nil),
          KernelHost.cable(gain, sum, to: 1, flags: BL_CABLE_FEEDBACK),
        ], ceilings: [Self.ceiling]))
    let count = 3 * Self.second
    let impulse = [Signals.impulse(amplitude: 0.1, frames: count)]
    let output = host.render(impulse, frames: count, cycles: cycles)[0]
    #expect(output[..<2000].contains { $0 > Self.ceiling })
    #expect(output[4000...].allSatisfy { $0 == 0 })
    #expect(reports(host).map(\.node) == [UInt32(sum)])
    #expect(resets(host).allSatisfy { $0 == 1 })
  }

  /// A unit that only modulates a parameter is never the cause, however large its output.
  @Test func modulationsAreNotJudged() throws {
    let host = KernelHost()
    let sound = host.add(TestUnit.scale.descriptor, parameters: [(0, 0.5)])
    let value = host.add(TestUnit.provider.descriptor, inputs: [], parameters: [(0, 10)])
    host.play(
      try host.lower(
        [KernelHost.cable(nil, sound), KernelHost.cable(sound, nil)], ceilings: [Self.ceiling],
        modulations: [KernelHost.modulation(value, sound, depth: 1)]))
    _ = host.render([Signals.constant(0.5, frames: 4800)], frames: 4800)
    #expect(reports(host).isEmpty)
    let loud = Signals.constant(9, frames: Self.second)
    _ = host.render([loud], frames: Self.second)
    #expect(reports(host).map(\.node) == [UInt32.max])
    #expect(resets(host) == [0, 0])
  }

  /// The output has the same bits for any cycle lengths, also when a unit with memory is reset.
  @Test func theBitsAreTheSameForAnyCycles() throws {
    func render(_ cycles: [Int]) throws -> [Float] {
      let host = KernelHost()
      let gain = host.add(TestUnit.scale.descriptor, parameters: [(0, 10)])
      let late = host.add(TestUnit.late.descriptor, parameters: [(0, 300)])
      host.play(
        try host.lower(
          [KernelHost.cable(nil, gain), KernelHost.cable(gain, late), KernelHost.cable(late, nil)],
          outputs: [1], ceilings: [5]))
      let noise = noise(2 * Self.second)
      return host.render([noise], frames: 2 * Self.second, cycles: cycles)[0]
    }
    let whole = try render([1024])
    #expect(whole[1000..<40_000].contains(0))
    for cycles in Self.cycles { #expect(try render(cycles) == whole, "\(cycles)") }
  }

  @Test func itGoesOnWhenAGraphTakesOver() throws {
    let host = try row([8])
    let cables = [KernelHost.cable(nil, 0), KernelHost.cable(0, nil)]
    // Replace the graph while the kernel is looking for the cause.
    let loud = Signals.constant(2, frames: 2400)
    _ = host.render([loud], frames: 2400)
    host.play(try host.lower(cables, ceilings: [Self.ceiling]))
    let quiet = Signals.constant(0.5, frames: 2 * Self.second)
    let output = host.render([quiet], frames: quiet.count)[0]
    #expect(output[..<(Self.second + 480 - 2400)].allSatisfy { $0 == 0 })
    #expect(output.last == 4)
    #expect(reports(host).count == 1 && resets(host) == [1])
  }
}
