import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct TapeTests {
  /// A head that loses next to nothing, and an even transport.
  private static let plain: [String: Float] = [
    "speed": 3, "head.spacing": 0, "head.thickness": 1, "head.gap": 1, "wow.depth": 0,
    "flutter.depth": 0, "output": 0,
  ]

  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    try BuiltInUnit("aufx/tape/bkln").host(Self.plain.merging(parameters) { $1 })
  }

  /// Bertram's formula: spacing, thickness and gap in µm, speed in inches a second.
  private func loss(
    _ frequency: Double, speed: Double = 30, spacing: Double = 0, thickness: Double = 1,
    gap: Double = 1
  ) -> Double {
    let waves = 2 * Double.pi * frequency / (speed * 0.0254)
    let (layer, half) = (waves * thickness * 1e-6, waves * gap * 1e-6 / 2)
    return exp(-waves * spacing * 1e-6) * (1 - exp(-layer)) / layer * sin(half) / half
  }

  /// Jiles and Atherton's equation, by the Runge-Kutta method of fourth order.
  private struct Reference {
    let reversible: Double
    let coupling = 1.6e-3 * 350 / 22
    let coercivity = 27.0 / 22
    var field = 0.0
    var magnetisation = 0.0

    private func slope(_ direction: Double, _ h: Double, _ m: Double) -> Double {
      let x = h + coupling * m
      let isSmall = abs(x) < 0.01
      let langevin = isSmall ? x / 3 - x * x * x / 45 : 1 / tanh(x) - 1 / x
      let steepness = isSmall ? 1 / 3.0 - x * x / 15 : 1 / (x * x) - 1 / (sinh(x) * sinh(x))
      let pull = max(direction * (langevin - m), 0)
      let fixed = 1 - reversible
      return (fixed * pull / (fixed * coercivity - coupling * pull) + reversible * steepness)
        / (1 - reversible * coupling * steepness)
    }

    mutating func move(to h: Double) {
      let way = h - field
      let direction: Double = way < 0 ? -1 : 1
      let first = way * slope(direction, field, magnetisation)
      let second = way * slope(direction, field + way / 2, magnetisation + first / 2)
      let third = way * slope(direction, field + way / 2, magnetisation + second / 2)
      let fourth = way * slope(direction, h, magnetisation + third)
      magnetisation += (first + 2 * second + 2 * third + fourth) / 6
      field = h
    }
  }

  /// The harmonics of a sine, beside the reference at 64 times the rate.
  @Test(arguments: [(1000.0, Float(0), 0.8, Float(6)), (1000, 80, 0.5, 12), (3000, 50, 0.9, 0)])
  func theMagnetisationIsThatOfAFineSolution(
    frequency: Double, bias: Float, amplitude: Double, drive: Float
  ) throws {
    let frames = 2400
    let drives = pow(10, Double(drive) / 20)
    var reference = Reference(reversible: 0.17 + 0.73 * Double(bias) / 100)
    var mean = 0.0
    let expected = (0..<frames).map { frame -> Float in
      for part in 0..<64 where frame > 0 {
        let time = (Double(frame - 1) + Double(part + 1) / 64) / 48_000
        reference.move(to: 1.5 * drives * amplitude * sin(2 * .pi * frequency * time))
      }
      // A high-pass at 5 Hz.
      mean += 2 * .pi * 5 / 48_000 * (reference.magnetisation - mean)
      return Float(2 / drives * (reference.magnetisation - mean))
    }
    let host = try host(["bias": bias, "drive": drive])
    let latency = host.latency
    let sine = Signals.sine(frequency: frequency, amplitude: amplitude, frames: frames + latency)
    let output = host.play(sine)[latency...]
    var (error, power) = (0.0, 0.0)
    for harmonic in stride(from: frequency, to: 20_000, by: frequency) {
      let right = Spectrum.transform(Array(expected.suffix(960)), at: harmonic)
      let measured = Spectrum.transform(Array(output.suffix(960)), at: harmonic)
      let off = measured - right * Phasor(loss(harmonic))
      error += off.magnitude * off.magnitude
      power += right.magnitude * right.magnitude
    }
    #expect(10 * log10(error / power) < -50)
  }

  struct Head: CustomStringConvertible {
    var spacing, thickness, gap: Double
    var description: String { "\(spacing), \(thickness) and \(gap) µm" }
  }

  /// Quiet sounds on tape that is fully biased have the gain c / (1 - c α / 3).
  @Test(
    arguments: [3.75, 7.5, 15, 30],
    [
      Head(spacing: 0, thickness: 1, gap: 1), Head(spacing: 0.3, thickness: 5, gap: 2),
      Head(spacing: 2, thickness: 5, gap: 1), Head(spacing: 2, thickness: 12, gap: 4),
    ])
  func lossesFollowTheirFormula(speed: Double, head: Head) throws {
    let host = try host([
      "bias": 100, "speed": Float(log2(speed / 3.75)), "head.spacing": Float(head.spacing),
      "head.thickness": Float(head.thickness), "head.gap": Float(head.gap),
    ])
    let output = host.play(Signals.impulse(amplitude: 1e-3, frames: 4096)).map { $0 * 1000 }
    let gain = 0.9 / (1 - 0.9 * 1.6e-3 * 350 / 22 / 3)
    for frequency in [60.0, 125, 250, 500, 1000, 2000, 4000, 6000, 8000, 12_000, 16_000, 20_000] {
      let expected = loss(
        frequency, speed: speed, spacing: head.spacing, thickness: head.thickness, gap: head.gap)
      guard abs(expected) > 0.01 else { continue }
      let measured = Spectrum.transform(output, at: frequency).magnitude / gain
      #expect(abs(20 * log10(measured / abs(expected))) < 0.2, "\(frequency) Hz")
    }
  }

  /// Deviations of the pitch to either side.
  @Test(arguments: [("wow", Float(1), Float(2)), ("wow", 0.2, 3), ("flutter", 0.5, 8)])
  func deviationIsTheKnob(name: String, percent: Float, rate: Float) throws {
    let host = try host(["\(name).depth": percent, "\(name).rate": rate, "bias": 100])
    let sine = Signals.sine(frequency: 4000, amplitude: 0.1, frames: 48_000)
    let output = host.play(sine)
    let phases = stride(from: 4800, to: 47_900, by: 48).map {
      Spectrum.transform(Array(output[$0..<$0 + 48]), at: 4000).phase
    }
    let shifts = zip(phases, phases.dropFirst()).map {
      ($1 - $0).remainder(dividingBy: 2 * .pi) / (2 * .pi) * 1000 / 4000 * 100
    }
    let deviation = ((shifts.max() ?? 0) - (shifts.min() ?? 0)) / 2
    #expect(abs(deviation / Double(percent) - 1) < 0.02)
  }

  @Test(arguments: [Float(-60), -40]) func hissIsTheKnob(level: Float) throws {
    let output = try host(["hiss": level]).play(Signals.constant(0, frames: 48_000)).suffix(24_000)
    let losses = stride(from: 50.0, to: 24_000, by: 100).map { pow(loss($0), 2) }
    let expected = 10 * log10(losses.reduce(0, +) / Double(losses.count)) + Double(level)
    #expect(abs(Level.rms(output) - expected) < 0.3)
    let without = try host(["hiss": -96]).play(Signals.constant(0, frames: 4800))
    #expect(without.allSatisfy { $0 == 0 })
  }

  @Test func theLatencyIsWhatItSays() throws {
    let host = try host(["bias": 100])
    let output = host.play(Signals.impulse(amplitude: 1e-3, frames: 1024))
    let top = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(top == host.latency)
  }

  /// Wow and flutter go to and fro around the latency: a period's mean delay is what it says.
  @Test(arguments: [("wow", Float(1), Float(0.3)), ("flutter", 1, 4), ("wow", 0.5, 2)])
  func theLatencyIsTheMiddleOfTheSweep(kind: String, depth: Float, rate: Float) throws {
    let host = try host(["bias": 100, "\(kind).depth": depth, "\(kind).rate": rate])
    let period = Int(48_000 / rate)
    let clicks = 32
    var input = [Float](repeating: 0, count: 2 * period)
    for click in 0..<clicks { input[period / 2 + click * period / clicks] = 1e-3 }
    let output = host.play(input)
    let delays = (0..<clicks).map { click -> Double in
      let start = period / 2 + click * period / clicks
      let end = min(start + period / clicks, start + 1200)
      let top = (start..<end).max { abs(output[$0]) < abs(output[$1]) } ?? start
      return Double(top - start)
    }
    let mean = delays.reduce(0, +) / Double(clicks)
    #expect(abs(mean - Double(host.latency)) < 2, "\(mean) frames, not \(host.latency)")
  }

  /// Another speed and another head fade in.
  @Test func theHeadMovesWithoutAClick() throws {
    let host = try host(["bias": 100])
    let sine = Signals.sine(frequency: 1000, amplitude: 0.25, frames: 19_200)
    let output = host.play(
      sine,
      events: [
        .parameter(host.address("head.spacing"), 2, at: 6000),
        .parameter(host.address("speed"), 0, at: 12_000),
      ])
    #expect(Signals.largestStep(output[4800...]) < 1.02 * Signals.largestStep(sine))
  }

  /// What was on the tape leaves no constant behind.
  @Test func theTailEnds() throws {
    let host = try host(["bias": 0, "drive": 12])
    let sine = Signals.sine(frequency: 330, frames: 4900)
    let rest = Int(host.tailTime * 48_000) + host.latency
    let output = host.play(sine + Signals.constant(0, frames: rest + 4800))
    #expect(output[(4900 + 480)...].contains { abs($0) > 1e-3 })
    #expect(output[(4900 + rest)...].allSatisfy { abs($0) < 1e-5 })
  }
}
