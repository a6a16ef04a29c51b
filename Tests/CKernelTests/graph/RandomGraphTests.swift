import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// Any graph, in any block size, renders the same samples as a plain evaluation that copies
/// everything.
struct RandomGraphTests {
  /// A random graph: each unit reads units before it, or the rack's input.
  private struct Drawing {
    var units: [(unit: TestUnit, factor: Float, sources: [Int?])] = []
    var outputs: [[Int]] = []

    init(seed: Int) {
      var generator = Random(seed: UInt64(seed))
      for index in 0..<Int.random(in: 3...24, using: &generator) {
        let kinds: [TestUnit] = [.scale, .scale, .scaleApart, .latent, .provider]
        let sources = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          let source = Int.random(in: -1..<index, using: &generator)
          return source < 0 ? nil : source
        }.uniqued()
        units.append(
          (
            kinds.randomElement(using: &generator) ?? .scale,
            Float(Int.random(in: -4...4, using: &generator)) / 4, sources
          ))
      }
      outputs = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Int.random(in: 0..<units.count, using: &generator)
        }.uniqued()
      }
    }

    /// Lowers and plays the graph, with the units of `elsewhere` added by `addElsewhere`.
    func play(
      on host: KernelHost, maximumFrames: Int, elsewhere: Set<Int> = [], log: CallLog? = nil
    ) throws {
      var cables: [bl_cable] = []
      for (index, unit) in units.enumerated() {
        if elsewhere.contains(index) {
          host.addElsewhere(unit.unit.descriptor, parameters: [(0, unit.factor)], log: log)
        } else {
          host.add(unit.unit.descriptor, parameters: [(0, unit.factor)])
        }
        cables += unit.sources.map { KernelHost.cable($0, index) }
      }
      for (port, sources) in outputs.enumerated() {
        cables += sources.map { KernelHost.cable($0, nil, to: port) }
      }
      // Pass the cables in another order than that of the units.
      cables.sort { ($0.source.bus, $0.destination.node) > ($1.source.bus, $1.destination.node) }
      host.play(
        try host.lower(cables, outputs: outputs.map { _ in 1 }, maximumFrames: maximumFrames))
    }

    /// Returns the expected outputs: at each sum, earlier paths are delayed to the latest.
    func evaluate(_ input: [Float]) -> [[Float]] {
      typealias Signal = (samples: [Float], latency: Int)
      var signals: [Signal] = []
      func sum(_ sources: [Int?]) -> Signal {
        let terms = sources.map { source -> Signal in
          source.map { signals[$0] } ?? (samples: input, latency: 0)
        }
        let latest = terms.map(\.latency).max() ?? 0
        var total = [Float](repeating: 0, count: input.count)
        for term in terms {
          let shift = latest - term.latency
          for frame in total.indices where frame >= shift {
            total[frame] += term.samples[frame - shift]
          }
        }
        return (total, latest)
      }
      for (unit, factor, sources) in units {
        var (samples, latency) = sum(sources)
        samples = samples.map { $0 * factor }
        if unit.descriptor == TestUnit.latent.descriptor {
          let delay = Int(BL_TEST_LATENCY)
          samples = [Float](repeating: 0, count: delay) + samples.dropLast(delay)
          latency += delay
        }
        signals.append((samples, latency))
      }
      return outputs.map { sum($0).samples }
    }
  }

  @Test(arguments: 0..<repetitions(200))
  func aGraphSoundsAsItIsDrawn(seed: Int) throws {
    let drawing = Drawing(seed: seed)
    let input = noise(700, seed: UInt32(seed + 1))
    let expected = drawing.evaluate(input)
    var first: [[Float]]?
    for cycles in [[64], [1], [17, 480, 3], [700]] {
      let host = KernelHost()
      try drawing.play(on: host, maximumFrames: cycles == [700] ? 1024 : 128)
      let output = host.render([input], frames: 700, cycles: cycles)
      for port in output.indices {
        let scale = expected[port].map(abs).max() ?? 0
        for frame in input.indices {
          let difference = abs(output[port][frame] - expected[port][frame])
          guard difference <= 1e-5 * max(scale, 1) else {
            Issue.record("port \(port), frame \(frame), cycles \(cycles): off by \(difference)")
            return
          }
        }
      }
      #expect(output == first ?? output, "cycles of \(cycles) change the bits")
      first = first ?? output
    }
  }

  /// A graph renders the same bits whichever of its units are rendered elsewhere, also while units
  /// are bypassed and unbypassed.
  @Test(arguments: 0..<repetitions(300))
  func itDoesNotMatterWhereUnitsAreRendered(seed: Int) throws {
    var generator = Random(seed: UInt64(seed + 1000))
    let drawing = Drawing(seed: seed)
    let share = Int.random(in: 1...4, using: &generator)
    let elsewhere = drawing.units.indices.filter { _ in
      Int.random(in: 0..<4, using: &generator) < share
    }
    let (plain, deferred, log) = (KernelHost(), KernelHost(), CallLog())
    let maximumFrames = [64, 128, 1024].randomElement(using: &generator) ?? 64
    try drawing.play(on: plain, maximumFrames: maximumFrames)
    try drawing.play(
      on: deferred, maximumFrames: maximumFrames, elsewhere: Set(elsewhere), log: log)
    let input = noise(6000, seed: UInt32(seed + 1))
    var start = 0
    while start < input.count {
      let frames = min(Int.random(in: 1...700, using: &generator), input.count - start)
      let cycles = [Int.random(in: 1...300, using: &generator)]
      let block = [Array(input[start..<start + frames])]
      let expected = plain.render(block, frames: frames, cycles: cycles)
      let output = deferred.render(block, frames: frames, cycles: cycles)
      if let frame = firstDifference(output, expected) {
        Issue.record("frame \(start + frame) differs; elsewhere: \(elsewhere)")
        return
      }
      expectGoodOrder(log.popAll(), drawing)
      start += frames
      let unit = Int.random(in: drawing.units.indices, using: &generator)
      let bypassed = Int.random(in: 0..<3, using: &generator) == 0
      for host in [plain, deferred] {
        host.send(BL_COMMAND_SET_BYPASS, to: unit) { $0.bypassed = bypassed }
      }
    }
    for unit in elsewhere { #expect(bl_test_deferred_faults(deferred.units[unit]) == 0) }
  }

  /// Any number of threads renders the same bits, also while units are bypassed and parameters
  /// move.
  @Test(arguments: 0..<repetitions(200))
  func itDoesNotMatterHowManyThreadsRender(seed: Int) throws {
    var generator = Random(seed: UInt64(seed + 2000))
    let drawing = Drawing(seed: seed)
    let hosts = [KernelHost(), KernelHost(threads: Int.random(in: 2...4, using: &generator))]
    for host in hosts { try drawing.play(on: host, maximumFrames: 128) }
    let input = noise(6000, seed: UInt32(seed + 1))
    var start = 0
    while start < input.count {
      let frames = min(Int.random(in: 1...700, using: &generator), input.count - start)
      let cycles = [Int.random(in: 1...300, using: &generator)]
      let block = [Array(input[start..<start + frames])]
      let outputs = hosts.map { $0.render(block, frames: frames, cycles: cycles) }
      if let frame = firstDifference(outputs[1], outputs[0]) {
        Issue.record("frame \(start + frame) differs")
        return
      }
      start += frames
      let unit = Int.random(in: drawing.units.indices, using: &generator)
      let bypassed = Int.random(in: 0..<3, using: &generator) == 0
      let value = Float.random(in: -1...1, using: &generator)
      for host in hosts {
        host.send(BL_COMMAND_SET_BYPASS, to: unit) { $0.bypassed = bypassed }
        host.schedule(unit, value: value, ramp: 100, at: Int64(start + 10))
      }
    }
    for host in hosts { #expect(host.count(BL_REPORT_NON_FINITE) == 0) }
  }

  /// Expects that a unit with a preceding unit reads only that unit, and gets its cycle right after
  /// it.
  private func expectGoodOrder(_ calls: [CallLog.Call], _ drawing: Drawing) {
    for (before, call) in zip([nil] + calls, calls) {
      guard case .begin(let unit, let preceding?) = call else { continue }
      #expect(drawing.units[unit].sources == [preceding])
      guard case .begin(preceding, _) = before else {
        Issue.record("\(call) does not follow its preceding unit")
        return
      }
    }
  }
}

extension Array where Element: Hashable {
  /// Returns the first occurrence of each element, because two cables must not be the same.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
