import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct WahTests {
  private let unit = BuiltInUnit("aufx/wahh/bkln")

  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    try unit.host(["level": 0].merging(parameters) { $1 })
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
    let output = host.play(constant + Signals.constant(0, frames: 2400))
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
    let response = host.impulseResponse(frames: 4800)
    #expect(abs(Spectrum.transform(response, at: 20).magnitude - 1) < 1e-3)
    #expect(abs(Spectrum.transform(response, at: 1000).magnitude - 0.5.squareRoot()) < 1e-3)
  }
}
