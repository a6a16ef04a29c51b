import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct SpringReverbTests {
  private static let rate = 48_000.0

  /// Returns a reverb with the springs alone.
  private func host(_ parameters: [String: Float], channels: Int = 1) throws -> UnitHost {
    let plain: [String: Float] = ["mix": 100, "low_cut": 20]
    return try BuiltInUnit("aufx/sprg/bkln").host(
      channels: channels, plain.merging(parameters) { $1 })
  }

  /// The way there and back takes 100 ms on the slackest spring, 50 ms on the tautest. Half of it is
  /// over when the first sounds come, as 33 ms on a real tank, and then each time the whole.
  @Test(arguments: [(Float(0), 0.1), (60, 0.06598), (100, 0.05)])
  func tensionShortensTheWay(tension: Float, way: Double) throws {
    let host = try host(["springs": 0, "tension": tension, "drip": 0, "decay": 4])
    let response = host.impulseResponse(frames: 14_400)
    #expect(response.prefix(Int(way / 2 * Self.rate)).allSatisfy { abs($0) < 1e-6 })
    // The lowest sounds take M D (1 - a) / (1 + a) each time.
    let along = 100 * Self.rate / 2 / 4300 * 0.7 / 1.3
    let lowest = { (start: Double) -> Double in
      let part = response[Int(start - 100)..<Int(start + 100)]
      return Double(part.map { $0 * $0 }.reduce(0, +))
    }
    for passes in [1.0, 2] {
      let heard = way * (passes - 0.5) * Self.rate + passes * along
      #expect(lowest(heard) > 100 * lowest(heard - 400), "pass \(passes)")
    }
  }

  @Test func oneSpringIsInTheMiddleAndTwoAreAside() throws {
    let impulse = Signals.impulse(frames: 4800)
    let one = try host(["springs": 0, "width": 100], channels: 2).play([impulse, impulse])
    #expect(zip(one[0], one[1]).allSatisfy { abs($0 - $1) < 1e-6 })
    let two = try host(["springs": 1, "width": 100], channels: 2).play([impulse, impulse])
    let narrow = try host(["springs": 1, "width": 0], channels: 2).play([impulse, impulse])
    #expect(zip(two[0], two[1]).contains { abs($0 - $1) > 0.01 })
    #expect(zip(narrow[0], narrow[1]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  /// Springs of another make fade in 20 ms; a spring more or less, too.
  @Test(arguments: [("tension", Float(10)), ("chirp", 2500), ("drip", 100), ("springs", 2)])
  func springsChangeWithoutAClick(name: String, value: Float) throws {
    let host = try host([:])
    let sine = Signals.sine(frequency: 200, amplitude: 0.25, frames: 48_000)
    let output = host.play(sine, events: [.parameter(host.address(name), value, at: 24_000)])
    let steady = [20_000..<24_000, 44_000..<48_000].map { Signals.largestStep(output[$0]) }.max()
    #expect(Signals.largestStep(output[24_000..<26_000]) < 2 * (try #require(steady)))
  }

  @Test func mixAtZeroIsTheInput() throws {
    let noise = Signals.noise(frames: 4800)
    #expect(try host(["mix": 0]).play(noise) == noise)
  }
}
