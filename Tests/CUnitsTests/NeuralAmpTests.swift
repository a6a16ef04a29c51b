import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct NeuralAmpTests {
  let unit = BuiltInUnit("aufx/namp/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// An instance that plays a file and leaves its level alone.
  private func host(
    _ text: String?, sampleRate: Double = 48_000, channels: Int = 1,
    _ parameters: [String: Float] = [:]
  ) throws -> UnitHost {
    let plain: [String: Float] = ["output": 0]
    let properties = try text.map { ["file": try write($0)] } ?? [:]
    return try UnitHost(
      unit.descriptor, sampleRate: sampleRate, inputChannels: [channels],
      outputChannels: [channels], properties: properties,
      parameters: plain.merging(parameters) { $1 })
  }

  private func write(_ text: String, as name: String = "amp.nam") throws -> String {
    try folder.write(name, bytes: Array(text.utf8))
  }

  private func error(_ output: [Float], _ exact: [Double]) -> Double {
    zip(output, exact).map { abs(Double($0) - $1) }.max() ?? .infinity
  }

  @Test(arguments: [0, 2, 12]) func blockSizesDoNotMatter(index: Int) throws {
    let host = try host(
      AmpModel.examples[index].file(version: "0.7.0"), channels: 2, ["tone.bass": 3])
    #expect(host.latency == 0)
    let input = [Signals.noise(frames: 2000), Signals.noise(frames: 2000, seed: 2)]
    let whole = host.render(inputs: [input], frames: 2000, blockSizes: [2000])
    for size in [1, 16, 64, 100] {
      host.reset()
      #expect(
        identical(host.render(inputs: [input], frames: 2000, blockSizes: [size]), whole))
    }
    #expect(whole[0] != whole[1])
  }

  /// At twice the rate every other frame is a signal of its own.
  @Test(arguments: [1, 13]) func multiplesOfTheRateHaveLongerDelays(index: Int) throws {
    let model = AmpModel.examples[index]
    let input = Signals.noise(frames: 400)
    let output = try host(model.file(), sampleRate: 96_000).play(input)
    for first in 0...1 {
      let half = { (all: [Float]) in stride(from: first, to: 400, by: 2).map { all[$0] } }
      #expect(error(half(output), model(half(input))) < 2e-6)
    }
  }

  /// Within 0.1 dB up to 0.42 of the lower rate, and late by the latency.
  @Test(arguments: [(44_100.0, 48_000), (96_000, 44_100)]) func otherRatesAreConverted(
    rate: Double, model: Int
  ) throws {
    let lower = min(rate, Double(model))
    for frequency in [0.01, 0.2, 0.42].map({ $0 * lower }) {
      let host = try host(AmpModel.linear([1]).file(rate: model), sampleRate: rate)
      let input = Signals.sine(frequency: frequency, sampleRate: rate, amplitude: 0.5, frames: 4000)
      let output = host.render(inputs: [[input]], frames: 4000, blockSizes: [64, 7])[0]
      let fit = SineFit(
        output.dropFirst(2000), frequency: frequency, sampleRate: rate)
      let late = 2 * .pi * frequency * Double(2000 - host.latency) / rate
      #expect(abs(20 * log10(fit.amplitude / 0.5)) < 0.01)
      #expect(abs(remainder(fit.phase - late, 2 * .pi)) < 1e-3)
      #expect(fit.residual < 0.5e-4)
      #expect((20...150).contains(host.latency))
    }
  }

  /// The next model listens until it knows as much as it ever will, and fades in over 20 ms.
  @Test func modelsFadeOver() throws {
    let host = try host(AmpModel.linear([1]).file())
    let input = Signals.constant(0.5, frames: 4800)
    let before = host.render(inputs: [[input]], frames: 480)[0]
    #expect(before.allSatisfy { $0 == 0.5 })
    try host.setProperty("file", write(AmpModel.linear([0, 0, -1]).file(), as: "other.nam"))
    let after = host.render(inputs: [[input]], frames: 4800, blockSizes: [64, 33])[0]
    let changed = after.indices.filter { after[$0] != 0.5 && after[$0] != -0.5 }
    let (first, last) = (try #require(changed.first), try #require(changed.last))
    #expect((0...4).contains(first) && abs(last - first - 960) < 4)
    for frame in changed {
      #expect(abs(Double(after[frame]) - 0.5 + Double(frame - first + 1) / 961) < 1e-4)
    }
    #expect(after.last == -0.5)
  }

  @Test func aWrongFileChangesNothing() throws {
    let host = try host(AmpModel.linear([0.5]).file())
    #expect(throws: UnitHost.Refusal.self) {
      try host.setProperty("file", write("{}", as: "other.nam"))
    }
    let output = host.play(Signals.constant(1, frames: 5000))
    #expect(output.allSatisfy { $0 == 0.5 })
  }

  private func container(_ lite: String, _ full: String) -> String {
    """
    {"version": "0.7.0", "architecture": "SlimmableContainer", "weights": [], "config":
      {"submodels": [{"max_value": 0.5, "model": \(lite)}, {"max_value": 1, "model": \(full)}]},
      "sample_rate": 48000}
    """
  }

  @Test func qualityChoosesTheSize() throws {
    let lite = AmpModel.linear([0.25]).file()
    let full = AmpModel.linear([1]).file()
    let host = try host(container(lite, full))
    let input = Signals.constant(1, frames: 4000)
    #expect(host.play(input).allSatisfy { $0 == 1 })
    host.set("quality", 1)
    let output = host.play(input)
    #expect(output.last == 0.25)
    #expect(Signals.largestStep(output) < 0.001)
  }

  /// A size that comes back has heard as much as it remembers, and nothing of the time before.
  @Test func aSizeThatComesBackSoundsAsIfItHadStayed() throws {
    let taps = (0..<200).map { Double($0 % 7) / 1000 }
    let lite = AmpModel.linear([0.25]).file()
    let full = AmpModel.linear(taps).file()
    let file = container(lite, full)
    let input = Signals.noise(frames: 12_000)
    let (still, moved) = try (host(file), host(file))
    let stayed = still.play(input)
    let output = moved.play(
      input,
      events: [
        .parameter(moved.address("quality"), 1, at: 3000),
        .parameter(moved.address("quality"), 0, at: 8000),
      ])
    #expect(output[5000..<8000].elementsEqual(input[5000..<8000].map { $0 * 0.25 }))
    #expect(output[10_000...].elementsEqual(stayed[10_000...]))
  }

  /// By the file's loudness to -18 dB, and by its levels in dBu to what the device did.
  @Test func levelsAreTheFiles() throws {
    let facts = "{\"loudness\": -30, \"input_level_dbu\": 18, \"output_level_dbu\": 4}"
    let file = AmpModel.linear([0.5]).file(metadata: facts)
    func level(_ parameters: [String: Float], of file: String) throws -> Double {
      let output = try host(file, parameters).play(Signals.constant(0.1, frames: 100))
      return Level.decibels(Double(output[99]) / 0.05)
    }
    #expect(abs(try level(["output": 0], of: file)) < 1e-4)
    #expect(abs(try level(["output": 1], of: file) - 12) < 1e-4)
    #expect(abs(try level(["output": 2, "full_scale": 10], of: file) + 6) < 1e-4)
    #expect(abs(try level(["calibrate": 1, "full_scale": 10], of: file) + 8) < 1e-4)
    #expect(abs(try level(["input": -6, "level": 2], of: file) + 4) < 1e-4)
    // As if they were missing, where no amplifier has such levels.
    let absurd = AmpModel.linear([0.5]).file(
      metadata: "{\"loudness\": -1e300, \"input_level_dbu\": 150, \"output_level_dbu\": 150}")
    #expect(abs(try level(["output": 1, "calibrate": 1], of: absurd)) < 1e-4)
    #expect(abs(try level(["output": 2], of: absurd)) < 1e-4)
    let silent = AmpModel.linear([0.5]).file()
    #expect(abs(try level(["output": 1, "calibrate": 1], of: silent)) < 1e-4)
  }

  @Test func mixIsOfLevels() throws {
    for rate in [48_000.0, 44_100] {
      let host = try host(AmpModel.linear([1]).file(), sampleRate: rate, ["mix": 40])
      let input = Signals.sine(frequency: 1000, sampleRate: rate, amplitude: 0.5, frames: 3000)
      let output = host.play(input)
      let fit = SineFit(output.dropFirst(1000), frequency: 1000, sampleRate: rate)
      #expect(abs(fit.amplitude - 0.5) < 1e-4)
    }
  }

  @Test func withoutAFileTheSoundPasses() throws {
    let input = [Signals.noise(frames: 1000), Signals.noise(frames: 1000, seed: 2)]
    #expect(identical(try host(nil, channels: 2).play(input), input))
  }

  /// |1 + (G - 1) L|, with L the low-pass that trapezoidal integration makes of the analogue one.
  @Test(arguments: [30.0, 160, 800]) func bassIsAShelf(frequency: Double) throws {
    let input = Signals.sine(frequency: frequency, amplitude: 0.25, frames: 20_000)
    let output = try host(nil, ["tone.bass": 9]).play(input)
    let fit = SineFit(output.dropFirst(10_000), frequency: frequency, sampleRate: 48_000)
    let ratio = tan(.pi * frequency / 48_000) / tan(.pi * 160 / 48_000)
    let gain = pow(10, 9 / 20.0)
    let exact = ((gain * gain + ratio * ratio) / (1 + ratio * ratio)).squareRoot()
    #expect(abs(20 * log10(fit.amplitude / 0.25 / exact)) < 0.01)
  }

  @Test(arguments: [("middle", 550.0), ("treble", 20_000), ("presence", 4200)])
  func knobsReachTheirGain(knob: String, frequency: Double) throws {
    let input = Signals.sine(frequency: frequency, amplitude: 0.25, frames: 10_000)
    let output = try host(nil, ["tone.\(knob)": -8]).play(input)
    let fit = SineFit(output.dropFirst(5000), frequency: frequency, sampleRate: 48_000)
    #expect(abs(20 * log10(fit.amplitude / 0.25) + 8) < 0.1)
  }
}
