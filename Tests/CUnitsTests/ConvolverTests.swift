import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct ConvolverTests {
  let unit = BuiltInUnit("aufx/conv/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// An instance that only convolves.
  private func host(
    _ file: SoundFile?, stretch: String? = nil, sampleRate: Double = 48_000,
    channels: (Int, Int) = (2, 2), _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let plain: [String: Float] = ["mix": 100, "normalise": 0]
    var properties = try file.map { ["file": try $0.write(folder.path("response.wav"))] } ?? [:]
    properties["stretch"] = stretch
    return try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [channels.0],
      outputChannels: [channels.1], properties: properties,
      parameters: plain.merging(parameters) { $1 })
  }

  /// One frame of the convolution, in double precision.
  private func convolved(_ input: [Float], _ response: [Float], at frame: Int) -> Double {
    var sum = 0.0
    for tap in 0...min(frame, response.count - 1) {
      sum += Double(response[tap]) * Double(input[frame - tap])
    }
    return sum
  }

  /// Decibels of the difference from the sums of `parts`, which are (input, response), at some
  /// hundred frames.
  private func distance(_ output: [Float], _ parts: [([Float], [Float])]) -> Double {
    var error = 0.0
    var whole = 0.0
    for frame in Array(0..<20) + stride(from: 20, to: output.count, by: output.count / 100) {
      let exact = parts.reduce(0) { $0 + convolved($1.0, $1.1, at: frame) }
      error += pow(Double(output[frame]) - exact, 2)
      whole += exact * exact
    }
    return 10 * log10(error / whole)
  }

  /// Of as many taps as take part in none, one, two and three sizes of partitions.
  @Test(arguments: [1, 50, 900, 5000, 20_000]) func convolves(taps: Int) throws {
    let file = SoundFile.noise(frames: taps, channels: 2)
    let input = [Signals.noise(frames: 30_000), Signals.noise(frames: 30_000, seed: 2)]
    let host = try host(file)
    let output = host.render(inputs: [input], frames: 30_000, blockSizes: [64, 1, 300])
    for channel in 0...1 {
      #expect(distance(output[channel], [(input[channel], file.channels[channel])]) < -120)
    }
    #expect(host.latency == 0)
    #expect(abs(host.tailTime - Double(taps) / 48_000) < 1e-6)
  }

  @Test func fourChannelsAreTrueStereo() throws {
    let file = SoundFile.noise(frames: 700, channels: 4)
    let input = [Signals.noise(frames: 3000), Signals.noise(frames: 3000, seed: 2)]
    let output = try host(file).render(inputs: [input], frames: 3000)
    for side in 0...1 {
      let parts = [(input[0], file.channels[side]), (input[1], file.channels[2 + side])]
      #expect(distance(output[side], parts) < -120)
    }
    let spread = try host(file, channels: (1, 2)).render(inputs: [[input[0]]], frames: 3000)
    let parts = [(input[0], file.channels[1]), (input[0], file.channels[3])]
    #expect(distance(spread[1], parts) < -120)
  }

  @Test func trimsTurnsAndDelays() throws {
    let file = SoundFile.noise(frames: 1000, channels: 2)
    let input = [Signals.noise(frames: 4000), Signals.noise(frames: 4000, seed: 2)]
    let output = try host(file, ["start": 20, "reverse": 1, "pre_delay": 10])
      .render(inputs: [input], frames: 4000)
    // What is cut off at the start fades over a quarter of what is left.
    let late = [Float](repeating: 0, count: 480) + input[0]
    let response = (0..<800).map {
      file.channels[0][999 - $0] * min(1, Float(800 - $0) / 200)
    }
    #expect(distance(output[0], [(Array(late.prefix(4000)), response)]) < -120)
  }

  /// White noise keeps its level, whatever the file's.
  @Test(arguments: [Float(0), -30]) func normalisesAfterTheDecay(decay: Float) throws {
    let output = try host(
      .noise(frames: 20_000, channels: 1), channels: (1, 1),
      [
        "normalise": 1, "decay": decay,
      ]
    ).render(inputs: [[Signals.impulse(frames: 20_000)]], frames: 20_000)[0]
    #expect(abs(output.reduce(0) { $0 + Double($1) * Double($1) } - 1) < 0.002)
  }

  @Test(arguments: [1.0, 0.01]) func normalises(amplitude: Float) throws {
    var file = SoundFile.noise(frames: 800, channels: 2)
    file.channels = file.channels.map { $0.map { $0 * amplitude } }
    let energy = file.channels.joined().reduce(0) { $0 + Double($1) * Double($1) }
    let impulse = Signals.impulse(frames: 1000)
    let output = try host(file, ["normalise": 1]).render(
      inputs: [[impulse, impulse]], frames: 1000)
    let gain = (2 / energy).squareRoot()
    #expect(abs(Double(output[1][500]) / (gain * Double(file.channels[1][500])) - 1) < 1e-4)
  }

  /// A file at another rate has the same spectrum at the host's.
  @Test func resamples() throws {
    let response = (0..<200).map { Float(exp(-Double($0) / 20) * cos(0.9 * Double($0))) }
    let file = SoundFile(sampleRate: 44_100, channels: [response])
    let output = try host(file, channels: (1, 1))
      .render(inputs: [[Signals.impulse(frames: 1000)]], frames: 1000)[0]
    for frequency in [300.0, 3000, 9000, 17_000] {
      let exact = Spectrum.transform(response, at: frequency, sampleRate: 44_100).magnitude
      let measured = Spectrum.transform(output, at: frequency, sampleRate: 48_000).magnitude
      #expect(abs(20 * log10(measured / exact)) < 0.1, "\(frequency) Hz")
    }
  }

  /// Twice as long is an octave lower, at the same gain.
  @Test(arguments: [50.0, 80, 200]) func stretches(percent: Double) throws {
    let response = (0..<4000).map { Float(exp(-Double($0) / 500) * cos(0.06 * Double($0))) }
    let file = SoundFile(sampleRate: 48_000, channels: [response])
    let host = try host(file, stretch: "\(percent) %", channels: (1, 1))
    let output = host.render(inputs: [[Signals.impulse(frames: 9000)]], frames: 9000)[0]
    for frequency in [300.0, 458, 1000, 5000] {
      let exact = Spectrum.transform(response, at: frequency, sampleRate: 48_000).magnitude
      let measured = Spectrum.transform(
        output, at: frequency * 100 / percent, sampleRate: 48_000
      ).magnitude
      #expect(abs(20 * log10(measured / exact)) < 0.1, "\(frequency) Hz")
    }
    #expect(abs(host.tailTime - 4000 * percent / 100 / 48_000) < 0.001)
  }

  @Test func aStretchOutOfRangeIsRefused() throws {
    for text in ["49 %", "201", "long"] {
      #expect { try host(nil, stretch: text) } throws: { "\($0)".contains("200 %") }
    }
  }

  /// The envelope falls along the recording, in dB; then the recording is turned round.
  @Test func decayMakesTheEndSofter() throws {
    let file = SoundFile(sampleRate: 48_000, channels: [[Float](repeating: 0.1, count: 4800)])
    func heard(reverse: Float) throws -> [Float] {
      try host(file, channels: (1, 1), ["decay": -40, "reverse": reverse])
        .render(inputs: [[Signals.impulse(frames: 4800)]], frames: 4800)[0]
    }
    let (forwards, backwards) = (try heard(reverse: 0), try heard(reverse: 1))
    for frame in [0, 50, 700, 2400, 4799] {
      let exact = 0.1 * pow(10, -2 * Double(frame) / 4800)
      #expect(abs(Double(forwards[frame]) / exact - 1) < 1e-3)
      #expect(abs(Double(backwards[4799 - frame]) / exact - 1) < 1e-3)
    }
  }

  @Test func anotherFileComesInWithoutAClick() throws {
    func tone(_ gain: Float) -> SoundFile {
      SoundFile(sampleRate: 48_000, channels: [[gain] + [Float](repeating: 0, count: 2999)])
    }
    let host = try host(tone(0.5), channels: (1, 1))
    let sine = Signals.sine(frequency: 100, frames: 24_000)
    let before = host.render(inputs: [[sine]], frames: 24_000)[0]
    try host.setProperty("file", tone(-1).write(folder.path("other.wav")))
    let after = host.render(inputs: [[sine]], frames: 24_000)[0]
    #expect(abs(before[23_880] - 0.5 * sine[23_880]) < 1e-5)
    #expect(abs(after[23_880] + sine[23_880]) < 1e-5)
    // The sine's own steps, and of the crossfade's 50 ms the steepest.
    let step = 2 * Float.pi * 100 / 48_000 + 1.5 * .pi / 2 / 2400
    #expect(Signals.largestStep(before + after) < step)
  }

  /// Knobs that want another response prepared do it at the same frames in cycles of any length.
  @Test func cyclesOfAnyLengthSoundAlike() throws {
    let file = SoundFile.noise(frames: 6000, channels: 2)
    let input = [Signals.noise(frames: 20_000), Signals.noise(frames: 20_000, seed: 2)]
    let rendered = try [[64], [1, 7, 500], [4096]].map { blocks in
      let host = try host(file)
      return host.render(
        inputs: [input], frames: 20_000, blockSizes: blocks,
        events: [
          .parameter(host.address("length"), 40, at: 1000),
          .parameter(host.address("reverse"), 1, at: 1500),
          .parameter(host.address("pre_delay"), 30, ramp: 2000, at: 9000),
        ])
    }
    #expect(identical(rendered[0], rendered[1]))
    #expect(identical(rendered[0], rendered[2]))
  }

  @Test func badFilesAreRefusedAndTheGoodOneStays() throws {
    let host = try host(.noise(frames: 100, channels: 1), channels: (1, 1))
    let impulse = Signals.impulse(frames: 200)
    let before = host.render(inputs: [[impulse]], frames: 200)
    let three = try SoundFile.noise(frames: 100, channels: 3).write(folder.path("three.wav"))
    let long = try SoundFile(
      sampleRate: 1000, channels: [[Float](repeating: 0.1, count: 31_000)]
    ).write(folder.path("long.wav"))
    for (path, reason) in [
      (folder.path("none.wav"), "No such file"), (three, "3 channels"), (long, "31 seconds"),
    ] {
      #expect { try host.setProperty("file", path) } throws: { "\($0)".contains(reason) }
    }
    host.reset()
    #expect(identical(host.render(inputs: [[impulse]], frames: 200), before))
  }

  @Test func withoutAFileTheSoundPasses() throws {
    let input = [Signals.noise(frames: 1000), Signals.noise(frames: 1000, seed: 2)]
    #expect(identical(try host(nil).render(inputs: [input], frames: 1000), input))
  }
}
