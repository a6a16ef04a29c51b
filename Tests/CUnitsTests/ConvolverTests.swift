import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct ConvolverTests {
  let unit = BuiltInUnit("aufx/conv/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// An instance that only convolves.
  private func host(
    _ file: SoundFile?, stretch: String? = nil, channels: Int = 2,
    _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let plain: [String: Float] = ["mix": 100, "normalise": 0]
    var properties = try file.map { ["file": try $0.write(folder.path("response.wav"))] } ?? [:]
    properties["stretch"] = stretch
    return try UnitHost(
      unit.descriptor, inputChannels: [channels], outputChannels: [channels],
      properties: properties, parameters: plain.merging(parameters) { $1 })
  }

  @Test(arguments: [1, 900, 20_000]) func theTailIsTheResponse(taps: Int) throws {
    let host = try host(.noise(frames: taps, channels: 2))
    #expect(host.latency == 0)
    #expect(abs(host.tailTime - Double(taps) / 48_000) < 1e-6)
  }

  /// Twice as long is an octave lower, at the same gain.
  @Test(arguments: [50.0, 80, 200]) func stretches(percent: Double) throws {
    let response = (0..<4000).map { Float(exp(-Double($0) / 500) * cos(0.06 * Double($0))) }
    let file = SoundFile(sampleRate: 48_000, channels: [response])
    let host = try host(file, stretch: "\(percent) %", channels: 1)
    let (output, exact) = (FrequencyResponse(host, frames: 9000), FrequencyResponse(of: response))
    for frequency in [300.0, 458, 1000, 5000] {
      let gain = output.gain(at: frequency * 100 / percent) - exact.gain(at: frequency)
      #expect(abs(gain) < 0.1, "\(frequency) Hz")
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
      try host(file, channels: 1, ["decay": -40, "reverse": reverse])
        .impulseResponse(frames: 4800)
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
    let host = try host(tone(0.5), channels: 1)
    let sine = Signals.sine(frequency: 100, frames: 24_000)
    let before = host.play(sine)
    try host.setProperty("file", tone(-1).write(folder.path("other.wav")))
    let after = host.play(sine)
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
    let host = try host(.noise(frames: 100, channels: 1), channels: 1)
    let before = host.impulseResponse(frames: 200)
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
    #expect(identical([host.impulseResponse(frames: 200)], [before]))
  }

  @Test func withoutAFileTheSoundPasses() throws {
    let input = [Signals.noise(frames: 1000), Signals.noise(frames: 1000, seed: 2)]
    #expect(identical(try host(nil).play(input), input))
  }
}
