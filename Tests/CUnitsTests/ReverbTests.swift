import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct ReverbTests {
  let unit = BuiltInUnit("aufx/rvrb/bkln")

  /// An instance whose late sound alone is heard, with the cuts open.
  private func host(
    channels: Int = 2, sampleRate: Double = 48_000, _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let late: [String: Float] = [
      "mix": 100, "pre_delay": 0, "early": -96, "low_cut": 10, "high_cut": 20_000,
    ]
    return try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [channels],
      outputChannels: [channels], parameters: late.merging(parameters) { $1 })
  }

  private func response(_ host: UnitHost, seconds: Double) -> [[Float]] {
    let frames = Int(seconds * host.sampleRate)
    let impulse = Signals.impulse(frames: frames)
    let silence = [Float](repeating: 0, count: frames)
    let channels = Int(host.descriptor.pointee.input_busses[0].default_channel_count)
    return host.render(
      inputs: [[impulse] + Array(repeating: silence, count: channels - 1)], frames: frames)
  }

  private func energy(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// Seconds to -60 dB, from the slope between -5 and -35 dB of Schroeder's backward integral.
  private func decayTime(_ samples: [Double], sampleRate: Double) -> Double {
    var left = samples.reduce(0) { $0 + $1 * $1 }
    let whole = left
    var count = 0.0
    var x = 0.0
    var y = 0.0
    var xx = 0.0
    var xy = 0.0
    for (frame, sample) in samples.enumerated() {
      let level = 10 * log10(max(left / whole, 1e-30))
      if level < -5, level > -35 {
        let time = Double(frame) / sampleRate
        count += 1
        x += time
        y += level
        xx += time * time
        xy += time * level
      }
      left -= sample * sample
    }
    return -60 * (count * xx - x * x) / (count * xy - x * y)
  }

  /// One octave: a band-pass twice, backwards, so that its own ringing does not count.
  private func octave(_ samples: [Float], around frequency: Double, sampleRate: Double) -> [Double]
  {
    let w = 2 * Double.pi * frequency / sampleRate
    let alpha = sin(w) / (2 * 2.0.squareRoot())
    var signal = samples.reversed().map(Double.init)
    for _ in 0..<2 {
      var x1 = 0.0
      var x2 = 0.0
      var y1 = 0.0
      var y2 = 0.0
      for index in signal.indices {
        let x = signal[index]
        let y = (alpha * (x - x2) + 2 * cos(w) * y1 - (1 - alpha) * y2) / (1 + alpha)
        (x2, x1, y2, y1) = (x1, x, y1, y)
        signal[index] = y
      }
    }
    return signal.reversed()
  }

  /// Decay rates add up: the middle's, and the shelves' by first-order filters at their frequencies.
  @Test(arguments: [(0, 1, 1.0), (2, 1, 1.5), (3, 1, 1.2), (1, 2, 0.5), (3, 2, 0.4)])
  func decaysAsSet(type: Float, size: Float, decay: Double) throws {
    let sound = try ([0.9, 1, 1.1] as [Float]).flatMap { other in
      let host = try host(
        sampleRate: 16_000,
        [
          "type": type, "size": size * other, "decay": Float(decay), "low_decay": 1.5,
          "low_frequency": 250, "high_decay": 0.5, "high_frequency": 4000,
        ])
      return response(host, seconds: 1.1 * decay + 0.2)
    }
    for frequency in [250.0, 1000, 3500] {
      func square(_ corner: Double) -> Double {
        pow(tan(.pi * frequency / 16_000) / tan(.pi * corner / 16_000), 2)
      }
      let rate =
        1 + (1 / 1.5 - 1) / (1 + square(250)) + (1 / 0.5 - 1) * square(4000) / (1 + square(4000))
      let measured =
        sound.map {
          decayTime(octave($0, around: frequency, sampleRate: 16_000), sampleRate: 16_000)
        }.reduce(0, +) / 6
      #expect(abs(measured * rate / decay - 1) < 0.05, "\(frequency) Hz: \(measured) s")
    }
  }

  /// As loud as the input at 1.8 seconds, and in proportion to the decay elsewhere, also where the
  /// decay is short against the size; apart in the two ears.
  @Test func energyGrowsWithTheDecay() throws {
    for type: Float in [0, 2] {
      for (decay, size, tolerance) in [(1.8, 1.0, 1.0), (3, 1, 1), (0.2, 2, 2.5)] {
        let sound = try response(
          host(
            sampleRate: 8000,
            [
              "type": type, "size": Float(size), "decay": Float(decay), "low_decay": 1,
              "high_decay": 1,
            ]),
          seconds: decay + 0.2)
        for channel in sound {
          // One of two input channels, at half of the energy.
          let level = 10 * log10(energy(channel) * 2 * 1.8 / decay)
          #expect(abs(level) < tolerance, "type \(type), \(decay) s: \(level) dB")
        }
        let product = zip(sound[0], sound[1]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        #expect(abs(product) < 0.2 * (energy(sound[0]) * energy(sound[1])).squareRoot())
      }
    }
  }

  @Test func freezeHoldsTheLevel() throws {
    let host = try host(sampleRate: 8000, ["decay": 2, "rate": 1, "depth": 60])
    let noise = Signals.noise(frames: 8000)
    let frames = 8 * 8000
    let input = noise + [Float](repeating: 0, count: frames - noise.count)
    let output = host.render(
      inputs: [[input, input]], frames: frames,
      events: [.parameter(host.address("freeze"), 1, at: 8000)])[0]
    let first = energy(output[16_000..<32_000])
    let last = energy(output[(frames - 16_000)...])
    #expect(abs(10 * log10(last / first)) < 0.5)
    #expect(host.tailTime == .infinity)
  }

  /// From the next cycle on nothing goes in.
  @Test func freezesWhileIdle() throws {
    let outputs = try [Float(1), 0].map { loudness in
      let host = try host(sampleRate: 8000)
      let noise = Signals.noise(frames: 8000)
      _ = host.render(inputs: [[noise, noise]], frames: 8000)
      host.set("freeze", 1)
      let after = noise.map { loudness * $0 }
      return host.render(inputs: [[after, after]], frames: 8000)[0]
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
    let output = host.render(
      inputs: [[input, input]], frames: frames,
      events: [.parameter(host.address("freeze"), 1, at: 8000)] + events)[0]
    let change = 10 * log10(energy(output[64_000...]) / energy(output[9000..<10_000]) / 16)
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
      let output = host.render(inputs: [[input, input]], frames: 72_000)[0]
      #expect(energy(output[68_000...]) < 1e-9 * energy(output[..<8000]))
      return octaveLevel(output)
    }
    #expect(levels[0] < -40 && levels[1] > -15, "\(levels)")
  }

  /// A tone that stands does not beat against its octave: the shimmer's pitch is exact.
  @Test(arguments: [(0, 2), (1, pow(2, 7 / 12))] as [(Float, Double)])
  func shimmerIsInTune(interval: Float, ratio: Double) throws {
    let host = try host(
      sampleRate: 16_000, ["decay": 1, "shimmer": 100, "interval": interval, "depth": 0])
    let sine = Signals.sine(frequency: 220, sampleRate: 16_000, frames: 40_000)
    let output = host.render(inputs: [[sine, sine]], frames: 40_000)[0].suffix(24_000)
    let window = output.enumerated().map { $1 * Float(pow(sin(.pi * Double($0) / 24_000), 4)) }
    func magnitude(cents: Double) -> Double {
      let frequency = 220 * ratio * pow(2, cents / 1200)
      return Spectrum.transform(window, at: frequency, sampleRate: 16_000).magnitude
    }
    let cents = stride(from: -30.0, through: 30, by: 0.5)
      .max { magnitude(cents: $0) < magnitude(cents: $1) }
    #expect(cents.map(abs) ?? 100 < 1)
  }

  @Test func nothingOfTheRoomIsHeardAtNoMix() throws {
    let host = try host(["mix": 0])
    let input = [Signals.noise(frames: 5000), Signals.noise(frames: 5000, seed: 2)]
    #expect(identical(host.render(inputs: [input], frames: 5000), input))
  }

  @Test func oneChannelIsSpreadOverTwo() throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [2], parameters: ["mix": 100])
    let output = host.render(inputs: [[Signals.impulse(frames: 24_000)]], frames: 24_000)
    let product = zip(output[0], output[1]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    #expect(energy(output[0]) > 0.1 && energy(output[1]) > 0.1)
    #expect(abs(product) < 0.2 * energy(output[0]))
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
    let output = host.render(inputs: [[impulse, impulse]], frames: 24_000)[0]
    // An eighth of 120 beats a minute is 250 ms; the first wall answers within 10.
    let first = try #require(output.firstIndex { abs($0) > 1e-4 })
    #expect((12_000..<12_480).contains(first))
  }

  /// A click would be heard above the sine, which comes in softly.
  @Test(arguments: [
    ("size", 0.3, 700), ("decay", 0.2, 320), ("type", 3, 0), ("pre_delay", 200, 0),
    ("freeze", 1, 0),
  ])
  func movingDoesNotClick(name: String, value: Float, ramp: Int) throws {
    let host = try host(sampleRate: 16_000, ["decay": 0.5])
    let sine = Signals.sine(frequency: 200, sampleRate: 16_000, frames: 16_000).enumerated().map {
      $1 * Float(pow(sin(.pi / 2 * Double(min($0, 4000)) / 4000), 4))
    }
    let output = host.render(
      inputs: [[sine, sine]], frames: 16_000,
      events: [.parameter(host.address(name), value, ramp: ramp, at: 10_000)])[0]
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
