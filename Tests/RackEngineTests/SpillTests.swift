import BacklineTestSupport
import RackEngine
import RackModel
import RackTestSupport
import Testing

/// Units that spill: the bypass mutes their input, so that the tail is heard.
@Suite struct SpillTests {
  private func plan(process: String = "host", spills: Bool = true) throws -> Plan {
    try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 }, keys: { midi: true } }
      outputs: { out: { channels: 1 } }
      units:
        echo:
          unit: aufx/dely/bkln
          parameters: { time: 100 ms, feedback: 50 %, tone: 20 kHz, mix: 100 % }
          process: \(process)
          spill: \(spills)
      connections: [ in -> echo -> out ]
      controls: [ { from: keys cc 80, to: echo.bypass } ]
      """)
  }

  private let length = 48_000

  private func render(
    _ plan: Plan, _ input: [Float], _ messages: [(frame: Int, value: UInt8)] = [], block: Int = 64
  ) throws -> [Float] {
    let rendering = try OfflineRendering(plan, inputs: ["in": [input]]) { job in
      job.blockFrames = block
      job.length = Double(length) / 48_000
      job.messages = messages.map {
        .init(port: 0, time: Double($0.frame) / 48_000, bytes: [0xB0, 80, $0.value])
      }
    }
    return try #require(rendering.output.first)
  }

  /// Returns noise in a range of frames.
  private func noise(_ part: Range<Int>) -> [Float] {
    let noise = Signals.noise(frames: length)
    return (0..<length).map { part.contains($0) ? noise[$0] : 0 }
  }

  @Test(arguments: ["host", "own"], [17, 256])
  func whatCameBeforeIsHeardAndWhatComesGoesPast(process: String, block: Int) throws {
    let (before, after) = (noise(0..<4800), noise(12_000..<14_000))
    let tail = try render(plan(), before)
    let both = zip(before, after).map { $0 + $1 }
    let heard = try render(
      plan(process: process), both, [(9001, 127)], block: block)
    let expected = zip(tail, after).map { $0 + $1 }
    #expect(firstDifference(heard, expected) == nil)
    #expect(heard[30_000...].contains { abs($0) > 0.01 })
    // A unit that does not spill is silent at once.
    let cut = try render(plan(spills: false), both, [(9001, 127)])
    #expect(!cut[14_000...].contains { $0 != 0 })
  }

  @Test func itComesAndGoesWithoutAClick() throws {
    let rising = (0..<length).map { min(Float($0) / 24_000, 1) }
    let heard = try render(plan(), rising, [(9001, 127), (20_000, 0), (20_100, 127)])
    // The input and the tail fade no steeper than a straight fade of 10 ms each.
    #expect(Signals.largestStep(heard) < 3.0 / 480)
    // The output is the bypassed input, and the rest of the tail.
    #expect(abs(heard[47_000] - 1) < 0.05)
  }
}
