import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct GranulatorTests {
  private let unit = BuiltInUnit("aufx/gran/bkln")

  private func mono(_ parameters: [String: Float]) throws -> UnitHost {
    try unit.host(["mix": 100].merging(parameters) { $1 })
  }

  /// Returns a grain's random number, from -1 to 1.
  private func chance(_ seed: UInt64, _ number: UInt64) -> Double {
    func mixed(_ bits: UInt64) -> UInt64 {
      var random = Random(seed: bits)
      return random.next()
    }
    return Double(mixed(mixed(seed) ^ number) >> 40) / 8_388_608 - 1
  }

  /// A constant sound shows where each grain begins: the window is 0 there, but not a frame later.
  @Test(arguments: [(1, 20, 80), (77, 35, 50), (9999, 8, 0)] as [(UInt64, Double, Double)])
  func grainsBeginAtTheFramesOfTheirSeed(seed: UInt64, density: Double, jitter: Double) throws {
    let host = try mono([
      "seed": Float(seed), "density": Float(density), "jitter": Float(jitter), "size": 5,
      "position": 0.01, "spray": 0,
    ])
    let frames = 96_000
    let output = host.play(Signals.constant(1, frames: frames))
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
    let echo = click + Int(Float(seconds) * 48_000)
    let frames = echo + 4800
    let input = Signals.constant(0, frames: click) + Signals.impulse(frames: frames - click)
    let output = host.play(input)
    // The grains of a second follow one another, each under its window.
    let window = pow(sin(.pi * Double(echo % 48_000) / 48_000), 2)
    #expect(abs(Double(output[echo]) - window) < 1e-4)
    #expect(output.enumerated().allSatisfy { $0 == echo || abs($1) < 1e-6 })
  }

  @Test func grainsPlayBackwards() throws {
    let saw = (0..<96_000).map { (frame: Int) -> Float in Float(frame % 480) / 480 - 0.5 }
    let host = try mono(["reverse": 100, "spray": 0, "position": 0.5])
    let output = host.play(saw).suffix(48_000)
    let steps = zip(output.dropFirst(), output).map { $0 - $1 }.filter { abs($0) > 1e-5 }
    // A saw that falls slowly and rises at once.
    #expect(steps.filter { $0 < 0 }.count > 3 * steps.filter { $0 > 0 }.count)
  }

  @Test(arguments: [0, 1] as [Float]) func aFrozenPastHearsNothingNew(engine: Float) throws {
    let past = Signals.noise(frames: 48_000)
    func play(_ future: [Float]) throws -> [Float] {
      let host = try mono(["engine": engine, "pitch": 12, "position": 0.05])
      let event = UnitHost.Event.parameter(host.address("freeze"), 1, at: 47_000)
      return host.play(past + future, events: [event])
    }
    let quiet = try play(Signals.constant(0, frames: 96_000))
    #expect(quiet == (try play(Signals.noise(frames: 96_000, seed: 2))))
    #expect(abs(Level.rms(quiet.suffix(48_000)) - Level.rms(past)) < 4)
  }
}
