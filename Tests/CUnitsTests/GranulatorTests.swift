import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct GranulatorTests {
  private let unit = BuiltInUnit("aufx/gran/bkln")

  private func mono(_ parameters: [String: Float]) throws -> UnitHost {
    try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["mix": 100].merging(parameters) { $1 })
  }

  private func level(_ signal: some Collection<Float>) -> Double {
    10 * log10(signal.map { Double($0 * $0) }.reduce(0, +) / Double(signal.count))
  }

  /// From -1 to 1 for a seed and a place.
  private func chance(_ seed: UInt64, _ place: UInt64) -> Double {
    func mixed(_ bits: UInt64) -> UInt64 {
      var random = Random(seed: bits)
      return random.next()
    }
    return Double(mixed(mixed(seed) ^ place) >> 40) / 8_388_608 - 1
  }

  /// A constant sound shows where each grain begins: the window is 0 there, and not one frame later.
  @Test(arguments: [(1, 20, 80), (77, 35, 50), (9999, 8, 0)] as [(UInt64, Double, Double)])
  func grainsBeginAtTheFramesOfTheirSeed(seed: UInt64, density: Double, jitter: Double) throws {
    let host = try mono([
      "seed": Float(seed), "density": Float(density), "jitter": Float(jitter), "size": 5,
      "position": 0.01, "spray": 0,
    ])
    let frames = 96_000
    let output = host.render(inputs: [[Signals.constant(1, frames: frames)]], frames: frames)[0]
    let found = (2000..<frames).filter { output[$0] != 0 && output[$0 - 1] == 0 }.map { $0 - 1 }
    var (due, time) = ([Int](), 0.0)
    for grain in 0..<200 {
      due.append(Int((time * 48_000 / density).rounded()))
      time += 1 + jitter / 100 * chance(seed, UInt64(4 * grain))
    }
    #expect(found == due.filter { (1999..<frames - 1).contains($0) })
  }

  @Test(arguments: [0.03125, 0.5, 12] as [Double]) func grainsComeFromTheirPosition(
    seconds: Double
  ) throws {
    let host = try mono([
      "position": Float(seconds), "spray": 0, "size": 1000, "density": 1, "jitter": 0,
    ])
    let click = 24_000
    let place = click + Int(Float(seconds) * 48_000)
    let frames = place + 4800
    let input = Signals.constant(0, frames: click) + Signals.impulse(frames: frames - click)
    let output = host.render(inputs: [[input]], frames: frames)[0]
    // Grains of a second, one after the other: the window is that of the second's part.
    let window = pow(sin(.pi * Double(place % 48_000) / 48_000), 2)
    #expect(abs(Double(output[place]) - window) < 1e-4)
    #expect(output.enumerated().allSatisfy { $0 == place || abs($1) < 1e-6 })
  }

  @Test(arguments: [-24, -12, 7, 24] as [Float]) func grainsPlayAtTheirPitch(
    semitones: Float
  ) throws {
    let host = try mono([
      "pitch": semitones, "spray": 0, "size": 1000, "density": 1, "jitter": 0, "position": 5,
    ])
    let tone = Signals.sine(frequency: 600, frames: 480_000)
    let output = Array(host.render(inputs: [[tone]], frames: 480_000)[0][432_000...])
    let frequency = 600 * exp2(Double(semitones) / 12)
    // A Hann window over the tone: a half of its amplitude.
    #expect(abs(Spectrum.amplitude(output, at: frequency) - 0.5) < 0.005)
    #expect(Spectrum.amplitude(output, at: frequency * 1.1) < 0.01)
  }

  @Test func grainsPlayBackwards() throws {
    let saw = (0..<96_000).map { (frame: Int) -> Float in Float(frame % 480) / 480 - 0.5 }
    let host = try mono(["reverse": 100, "spray": 0, "position": 0.5])
    let output = host.render(inputs: [[saw]], frames: 96_000)[0].suffix(48_000)
    let steps = zip(output.dropFirst(), output).map { $0 - $1 }.filter { abs($0) > 1e-5 }
    // A saw that falls slowly and rises at once.
    #expect(steps.filter { $0 < 0 }.count > 3 * steps.filter { $0 > 0 }.count)
  }

  @Test(arguments: [0, 1] as [Float]) func aFrozenPastHearsNothingNew(engine: Float) throws {
    let past = Signals.noise(frames: 48_000)
    func play(_ future: [Float]) throws -> [Float] {
      let host = try mono(["engine": engine, "pitch": 12, "position": 0.05])
      let event = UnitHost.Event.parameter(host.address("freeze"), 1, at: 47_000)
      let input = past + future
      return host.render(inputs: [[input]], frames: input.count, events: [event])[0]
    }
    let quiet = try play(Signals.constant(0, frames: 96_000))
    #expect(quiet == (try play(Signals.noise(frames: 96_000, seed: 2))))
    #expect(abs(level(quiet.suffix(48_000)) - level(past)) < 4)
  }

  /// A minute of a frozen tenth of a second of noise.
  @Test func aFrozenSpectrumKeepsItsLevelAndDoesNotRepeat() throws {
    let host = try mono(["engine": 1, "position": 0.05, "spray": 0])
    let noise = Signals.noise(frames: 48_000)
    let event = UnitHost.Event.parameter(host.address("freeze"), 1, at: 47_000)
    _ = host.render(inputs: [[noise]], frames: 48_000, events: [event])
    _ = host.render(frames: 48_000)
    let output = host.render(frames: 60 * 48_000)[0]
    let levels = (0..<60).map { level(output[$0 * 48_000..<($0 + 1) * 48_000]) }
    #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 0.5)
    #expect(abs(level(output) - level(noise)) < 0.5)
    let start = output.prefix(24_000)
    let energy = start.map { Double($0 * $0) }.reduce(0, +)
    // Whole hops of the transform, and any others.
    let lags = (1...100).map { $0 * 4096 } + (1...60).map { 16_000 + $0 * 12_347 }
    for lag in lags {
      let product = zip(start, output[lag...]).reduce(0.0) { $0 + Double($1.0 * $1.1) }
      #expect(abs(product / energy) < 0.2, "\(lag) frames")
    }
  }
}
