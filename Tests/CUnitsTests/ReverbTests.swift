import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct ReverbTests {
  let unit = BuiltInUnit("aufx/rvrb/bkln")

  /// Returns a reverb whose late sound alone is heard, with the cuts open.
  private func host(
    sampleRate: Double = 48_000, _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    try unit.host(
      channels: 2, sampleRate: sampleRate, LateReverb.alone.merging(parameters) { $1 })
  }

  /// From the next cycle on nothing goes in.
  @Test func freezesWhileIdle() throws {
    let outputs = try [Float(1), 0].map { loudness in
      let host = try host(sampleRate: 8000)
      let noise = Signals.noise(frames: 8000)
      _ = host.play([noise, noise])
      host.set("freeze", 1)
      let after = noise.map { loudness * $0 }
      let output = host.play([after, after])[0]
      #expect(host.tailTime == .infinity)
      return output
    }
    #expect(outputs[0] == outputs[1])
  }

  /// Lengths that stay do not fade, and those that move never gain: a frozen sound keeps its level
  /// while the pre-delay moves, and loses a little while the lines do.
  @Test(
    arguments: [
      ("pre_delay", [0, 500], 0.5), ("decay", [0.1, 30, 6.5, 0.2, 30], 40),
      ("size", [1, 1.2, 0.8, 1.2, 0.8, 1.2, 0.8, 1], 40), ("type", [0, 1, 2, 3, 0, 2], 40),
    ] as [(String, [Float], Double)])
  func aFrozenSoundNeverGrows(parameter: String, values: [Float], loss: Double) throws {
    let host = try host(
      sampleRate: 8000, ["decay": Float(2)].merging([parameter: values[0]]) { $1 })
    let noise = Signals.noise(frames: 8000)
    let frames = 10 * 8000
    let input = noise + [Float](repeating: 0, count: frames - noise.count)
    let motion = 52_000 / values.count
    let events = values.enumerated().map { index, value in
      UnitHost.Event.parameter(
        host.address(parameter), value, ramp: parameter == "type" ? 0 : motion,
        at: 10_000 + index * motion)
    }
    let output = host.play(
      [input, input], events: [.parameter(host.address("freeze"), 1, at: 8000)] + events)[0]
    let (first, last) = (Level.energy(output[9000..<10_000]), Level.energy(output[64_000...]))
    let change = 10 * log10(last / first / 16)
    #expect(change < 1 && change > -loss, "\(change) dB")
  }

  @Test func shimmerRisesByOctavesAndDies() throws {
    let sine = Signals.sine(frequency: 300, sampleRate: 16_000, frames: 8000).enumerated().map {
      $1 * Float(pow(sin(.pi * Double($0) / 8000), 2))
    }
    let input = sine + [Float](repeating: 0, count: 64_000)
    func octaveLevel(_ output: [Float]) -> Double {
      let part = (0..<8000).map { output[8000 + $0] * Float(pow(sin(.pi * Double($0) / 8000), 2)) }
      func power(_ frequency: Double) -> Double {
        stride(from: 0.94, to: 1.06, by: 0.01).reduce(0) {
          let tone = Spectrum.transform(part, at: frequency * $1, sampleRate: 16_000)
          return $0 + pow(tone.magnitude, 2)
        }
      }
      return 10 * log10(power(600) / power(300))
    }
    let levels = try ([0, 100] as [Float]).map { amount in
      let host = try host(sampleRate: 16_000, ["decay": 0.7, "shimmer": amount])
      let output = host.play([input, input])[0]
      #expect(Level.energy(output[68_000...]) < 1e-9 * Level.energy(output[..<8000]))
      return octaveLevel(output)
    }
    #expect(levels[0] < -40 && levels[1] > -15, "\(levels)")
  }

  @Test func nothingOfTheRoomIsHeardAtNoMix() throws {
    let host = try host(["mix": 0])
    let input = [Signals.noise(frames: 5000), Signals.noise(frames: 5000, seed: 2)]
    #expect(identical(host.play(input), input))
  }

  @Test func oneChannelIsSpreadOverTwo() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [2], parameters: ["mix": 100])
    let output = host.play([Signals.impulse(frames: 24_000)])
    let product = zip(output[0], output[1]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    #expect(Level.energy(output[0]) > 0.1 && Level.energy(output[1]) > 0.1)
    #expect(abs(product) < 0.2 * Level.energy(output[0]))
  }

  @Test func preDelayFollowsTheTempo() throws {
    let host = try UnitHost(
      unit.descriptor, parameters: ["mix": 100, "late": -96, "type": 0, "sync": 6])
    host.music = { _ in
      var context = bl_musical_context()
      context.tempo = 120
      context.time_signature_numerator = 4
      context.time_signature_denominator = 4
      return (context, bl_transport_state())
    }
    let impulse = Signals.impulse(frames: 24_000)
    let output = host.play([impulse, impulse])[0]
    // An eighth of 120 beats a minute is 250 ms; the first wall answers within 10.
    let first = try #require(output.firstIndex { abs($0) > 1e-4 })
    #expect((12_000..<12_480).contains(first))
  }

  /// A click would be heard above the sine, which comes in softly.
  @Test(arguments: [("pre_delay", 200), ("freeze", 1)])
  func movingDoesNotClick(name: String, value: Float) throws {
    let host = try host(sampleRate: 16_000, ["decay": 0.5])
    let sine = Signals.sine(frequency: 200, sampleRate: 16_000, frames: 16_000).enumerated().map {
      $1 * Float(pow(sin(.pi / 2 * Double(min($0, 4000)) / 4000), 4))
    }
    let output = host.play(
      [sine, sine], events: [.parameter(host.address(name), value, at: 10_000)])[0]
    let window = (8000..<16_000).map {
      output[$0] * Float(pow(sin(.pi * Double($0 - 8000) / 8000), 4))
    }
    func magnitude(at frequency: Double) -> Double {
      Spectrum.transform(window, at: frequency, sampleRate: 16_000).magnitude
    }
    for frequency in stride(from: 1300.0, to: 7500, by: 713) {
      let click = 20 * log10(magnitude(at: frequency) / magnitude(at: 200))
      #expect(click < -80, "\(frequency) Hz")
    }
  }
}
