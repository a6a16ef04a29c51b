import BacklineTestSupport
import CKernel
import CTestUnits
import Testing

/// Any graph, any block size: the same samples as a plain evaluation that copies everything.
struct RandomGraphTests {
  /// Units in order; each reads any of those before it, or the rack's input.
  private struct Drawing {
    var units: [(unit: TestUnit, factor: Float, sources: [Int?])] = []
    var outputs: [[Int]] = []

    init(seed: Int) {
      var generator = SplitMix(state: UInt64(seed))
      for place in 0..<Int.random(in: 3...24, using: &generator) {
        let kinds: [TestUnit] = [.scale, .scale, .scaleApart, .latent]
        let sources = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          let source = Int.random(in: -1..<place, using: &generator)
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

    /// What the graph means: every path delayed to the latest that it meets.
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

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
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
      var cables: [bl_cable] = []
      for (place, unit) in drawing.units.enumerated() {
        host.add(unit.unit.descriptor, parameters: [(0, unit.factor)])
        cables += unit.sources.map { KernelHost.cable($0, place) }
      }
      for (port, sources) in drawing.outputs.enumerated() {
        cables += sources.map { KernelHost.cable($0, nil, to: port) }
      }
      // Drawn in order, handed over in another.
      cables.sort { ($0.source.bus, $0.destination.node) > ($1.source.bus, $1.destination.node) }
      host.play(
        try host.lower(
          cables, outputs: drawing.outputs.map { _ in 1 },
          maximumFrames: cycles == [700] ? 1024 : 128))
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
}

extension Array where Element: Hashable {
  /// Each element once, where it comes first: two cables never run the same way.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
