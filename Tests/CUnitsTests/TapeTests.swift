import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct TapeTests {
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try BuiltInUnit("aufx/tape/bkln").host(PlainTape.parameters.merging(parameters) { $1 })
  }

  @Test func noHissIsSilence() throws {
    let without = try host(["hiss": -96]).play(Signals.constant(0, frames: 4800))
    #expect(without.allSatisfy { $0 == 0 })
  }

  @Test func theLatencyIsWhatItSays() throws {
    let host = try host(["bias": 100])
    let output = host.play(Signals.impulse(amplitude: 1e-3, frames: 1024))
    let top = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(top == host.latency)
  }

  /// Wow and flutter go to and fro around the latency: a period's mean delay is what it says.
  @Test(arguments: [("wow", Float(1), Float(0.3)), ("flutter", 1, 4), ("wow", 0.5, 2)])
  func theLatencyIsTheMiddleOfTheSweep(kind: String, depth: Float, rate: Float) throws {
    let host = try host(["bias": 100, "\(kind).depth": depth, "\(kind).rate": rate])
    let period = Int(48_000 / rate)
    let clicks = 32
    var input = [Float](repeating: 0, count: 2 * period)
    for click in 0..<clicks { input[period / 2 + click * period / clicks] = 1e-3 }
    let output = host.play(input)
    let delays = (0..<clicks).map { click -> Double in
      let start = period / 2 + click * period / clicks
      let end = min(start + period / clicks, start + 1200)
      let top = (start..<end).max { abs(output[$0]) < abs(output[$1]) } ?? start
      return Double(top - start)
    }
    let mean = delays.reduce(0, +) / Double(clicks)
    #expect(abs(mean - Double(host.latency)) < 2, "\(mean) frames, not \(host.latency)")
  }

  /// Another speed and another head fade in.
  @Test func theHeadMovesWithoutAClick() throws {
    let host = try host(["bias": 100])
    let sine = Signals.sine(frequency: 1000, amplitude: 0.25, frames: 19_200)
    let output = host.play(
      sine,
      events: [
        .parameter(host.address("head.spacing"), 2, at: 6000),
        .parameter(host.address("speed"), 0, at: 12_000),
      ])
    #expect(Signals.largestStep(output[4800...]) < 1.02 * Signals.largestStep(sine))
  }

  /// What was on the tape leaves no constant behind.
  @Test func theTailEnds() throws {
    let host = try host(["bias": 0, "drive": 12])
    let sine = Signals.sine(frequency: 330, frames: 4900)
    let rest = Int(host.tailTime * 48_000) + host.latency
    let output = host.play(sine + Signals.constant(0, frames: rest + 4800))
    #expect(output[(4900 + 480)...].contains { abs($0) > 1e-3 })
    #expect(output[(4900 + rest)...].allSatisfy { abs($0) < 1e-5 })
  }
}
