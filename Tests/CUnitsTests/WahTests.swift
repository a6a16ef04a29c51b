import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct WahTests {
  private let unit = BuiltInUnit("aufx/wahh/bkln")

  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["level": 0].merging(parameters) { $1 })
  }

  /// The resonance is at heel · (toe / heel)^pedal, 0 dB high, and -3 dB at ±(√(1 + 1/4Q²) ∓ 1/2Q).
  @Test(arguments: [(0, 4.0), (25, 1), (50, 8), (100, 4)] as [(Float, Double)])
  func thePedalMovesTheResonance(pedal: Float, q: Double) throws {
    let host = try host(["pedal": pedal, "heel": 420, "toe": 2200, "q": Float(q)])
    let response = host.render(inputs: [[Signals.impulse(frames: 9600)]], frames: 9600)[0]
    let center = 420 * pow(2200 / 420.0, Double(pedal) / 100)
    func level(_ analogue: Double) -> Double {
      let frequency = atan(tan(.pi * center / 48_000) * analogue) / .pi * 48_000
      return 20 * log10(Spectrum.transform(response, at: frequency).magnitude)
    }
    #expect(abs(level(1)) < 0.01)
    let side: Double = sqrt(1 + 1 / (4 * q * q)) - 1 / (2 * q)
    #expect(abs(level(side) + 3.0103) < 0.02)
    #expect(abs(level(1 / side) + 3.0103) < 0.02)
  }

  /// The envelope of a level that starts at once is 1 - exp(-t / attack) of it, and moves the pedal in
  /// proportion: here 5 ms in, at half of the sensitivity's level.
  @Test func playingMovesTheResonance() throws {
    let host = try host([
      "pedal": 0, "amount": 0, "sensitivity": -20, "attack": 5, "heel": 500, "toe": 4000, "q": 20,
    ])
    host.set("amount", 100)
    let frames = 240
    // A constant sets the envelope; the ringing that follows its end is at the resonance, which the
    // long release holds.
    host.set("release", 2000)
    let constant = Signals.constant(0.05, frames: frames)
    let output = host.render(
      inputs: [[constant + [Float](repeating: 0, count: 2400)]], frames: frames + 2400)[0]
    let envelope: Double = 0.5 * (1 - exp(-1))
    let expected = 500 * pow(8, envelope * exp(-0.012))
    let ringing = Array(output[(frames + 10)...].prefix(1150))
    let loudest = stride(from: expected * 0.85, to: expected * 1.15, by: 2).max {
      Spectrum.transform(ringing, at: $0).magnitude < Spectrum.transform(ringing, at: $1).magnitude
    }
    #expect(abs(try #require(loudest) / expected - 1) < 0.02)
  }

  @Test func lowPassKeepsTheLows() throws {
    let host = try host(["type": 1, "q": 0.70710678, "pedal": 0, "heel": 1000])
    let response = host.render(inputs: [[Signals.impulse(frames: 4800)]], frames: 4800)[0]
    #expect(abs(Spectrum.transform(response, at: 20).magnitude - 1) < 1e-3)
    #expect(abs(Spectrum.transform(response, at: 1000).magnitude - 0.5.squareRoot()) < 1e-3)
  }
}
