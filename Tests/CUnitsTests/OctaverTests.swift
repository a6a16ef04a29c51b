import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct OctaverTests {
  private let unit = BuiltInUnit("aufx/octv/bkln")
  private static let silent: [String: Float] = [
    "dry": -96, "up": -96, "down": -96, "down_two": -96,
  ]

  private func play(_ voice: String, _ input: [Float]) throws -> [Float] {
    try unit.host(Self.silent.merging([voice: 0]) { $1 }).play(input)
  }

  @Test func theDrySoundPassesUnchanged() throws {
    let noise = Signals.noise(frames: 900)
    #expect(try play("dry", noise) == noise)
  }

  /// A bend of three semitones keeps its level from band to band: halved phases do not meet half a
  /// turn apart.
  @Test(arguments: ["up", "down", "down_two"]) func aGlideKeepsItsLevel(voice: String) throws {
    var phase = 0.0
    let glide = (0..<16_000).map { frame in
      phase += 2 * .pi * 300 * pow(2, 0.25 * Double(frame) / 16_000) / 48_000
      return Float(0.5 * sin(phase))
    }
    let output = try play(voice, glide)
    for start in stride(from: 4000, to: 15_000, by: 1000) {
      let crest = output[start..<start + 1000].reduce(0) { max($0, abs($1)) }
      #expect(crest > 0.47 && crest < 0.53, "frame \(start): \(crest)")
    }
  }

  /// A silent voice is not computed; turned up while a note sounds, it is there with its fader.
  @Test(arguments: ["up", "down", "down_two"]) func aVoiceTurnedUpIsThere(voice: String) throws {
    let host = try unit.host(Self.silent)
    let tone = Signals.sine(frequency: 400, amplitude: 0.5, frames: 9600)
    let output = host.play(
      tone, events: [.parameter(host.address(voice), 0, ramp: 240, at: 4800)])
    #expect(output[..<4800].allSatisfy { $0 == 0 })
    for start in stride(from: 5040, to: 9000, by: 500) {
      let crest = output[start..<start + 500].reduce(0) { max($0, abs($1)) }
      #expect(crest > 0.47 && crest < 0.53, "frame \(start): \(crest)")
    }
  }
}
