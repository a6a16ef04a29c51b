import BacklineTestSupport
import Foundation
import Testing
import UnitMeasurement

@Suite struct DistortionTests {
  let unit = BuiltInUnit("aufx/dist/bkln")

  enum Shape: Float, CaseIterable { case soft, hard, fold }

  /// One channel, with the tone open, no level change, and the rest as given.
  private func host(_ parameters: [String: Float]) throws -> UnitHost {
    let plain: [String: Float] = ["tone": 20_000, "level": 0, "drive": 0]
    return try unit.host(plain.merging(parameters) { $1 })
  }

  private func curve(_ shape: Shape, _ x: Double) -> Double {
    switch shape {
    case .soft: x / sqrt(1 + x * x)
    case .hard: min(max(x, -1), 1)
    case .fold: sin(.pi / 2 * x)
    }
  }

  /// A driven sine behind the curve and without its mean, which a first-order filter at 5 Hz follows.
  private func bentSine(
    _ shape: Shape, frequency: Double, amplitude: Double, delay: Int, frames: Int
  ) -> [Double] {
    var mean = 0.0
    return (0..<frames).map { frame in
      guard frame >= delay else { return 0 }
      let angle: Double = 2 * Double.pi * frequency * Double(frame - delay) / 48_000
      let bent = curve(shape, amplitude * sin(angle))
      mean += 2 * Double.pi * 5 / 48_000 * (bent - mean)
      return bent - mean
    }
  }

  /// However loud the input, the output is a number, and goes on after it.
  @Test(arguments: Shape.allCases, [0, 1] as [Float])
  func absurdSoundsDoNoHarm(shape: Shape, quality: Float) throws {
    let host = try host(["drive": 48, "shape": shape.rawValue, "quality": quality])
    let loud = Signals.noise(frames: 2000).map { $0 * 1e14 }
    let sine = Signals.sine(frequency: 1000, amplitude: 0.1, frames: 48_000)
    let output = host.play(loud + sine)
    #expect(output.allSatisfy { abs($0) < 2.5 })
    #expect(output.suffix(48).contains { abs($0) > 0.1 })
  }

  /// A slow sine comes out as the curve says, late by the latency.
  @Test(arguments: Shape.allCases, [0, 1] as [Float])
  func slowSignalsFollowTheCurve(shape: Shape, quality: Float) throws {
    let host = try host(["drive": 6, "shape": shape.rawValue, "quality": quality])
    let frames = 4800
    let output = host.play(Signals.sine(frequency: 50, amplitude: 0.9, frames: frames))
    let gain: Double = pow(10, 6.0 / 20)
    let expected = bentSine(
      shape, frequency: 50, amplitude: gain * 0.9, delay: host.latency, frames: frames)
    #expect(Deviation.worst(of: output[200...]) { expected[$0] } < 3e-3)
  }

  /// At low level the curve is straight, and what is left is the filters: all of an impulse's
  /// energy is around the frame that the latency names, the same on both sides of it.
  @Test(arguments: [0, 1] as [Float]) func latencyIsWhatItSays(quality: Float) throws {
    let wet = try host(["mix": 100, "drive": 0, "quality": quality])
    let impulse = Signals.impulse(amplitude: 0.001, frames: 200)
    let output = wet.play(impulse)
    let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(peak == wet.latency)
    for frequency in [2000.0, 10_000] {
      let turns = Spectrum.transform(output, at: frequency).phase / (2 * .pi)
      let late = -turns - frequency / 48_000 * Double(wet.latency)
      #expect(abs(late.remainder(dividingBy: 1)) / frequency * 48_000 < 0.015)
    }

    let dry = try host(["mix": 0, "quality": quality])
    let delayed = dry.play(impulse)
    #expect(delayed[dry.latency] == 0.001)
    #expect(delayed.filter { $0 != 0 }.count == 1)
  }

  /// Were the dry path not delayed to match, half and half would comb.
  @Test(arguments: [0, 1] as [Float]) func mixDoesNotComb(quality: Float) throws {
    let host = try host(["mix": 50, "quality": quality])
    let response = FrequencyResponse(of: host.play(Signals.impulse(amplitude: 0.001, frames: 400)))
    for frequency in stride(from: 100.0, through: 15_000, by: 700) {
      #expect(abs(response.gain(at: frequency) + 60) < 0.3, "\(frequency) Hz")
    }
  }

  @Test func toneIsALowPassOfFirstOrder() throws {
    let output = try host(["tone": 1000]).play(Signals.impulse(amplitude: 0.001, frames: 20_000))
    let meanPole: Double = 1 - 2 * Double.pi * 5 / 48_000
    for frequency in [50.0, 1000, 8000, 18_000] {
      let angle: Double = 2 * Double.pi * frequency / 48_000
      let low: Double = 1 / (1 + pow(frequency / 1000, 2)).squareRoot()
      let z = Phasor(cos(angle), sin(angle))
      let expected = low * meanPole * ((z - Phasor(1)) / (z - Phasor(meanPole))).magnitude
      let measured = Spectrum.transform(output, at: frequency).magnitude / 0.001
      #expect(abs(measured / expected - 1) < 0.02, "\(frequency) Hz")
    }
  }

  @Test func levelComesAfterAll() throws {
    let output = try host(["level": -20, "mix": 0]).play(Signals.constant(0.5, frames: 100))
    #expect(abs(output[99] - 0.05) < 1e-6)
  }

  /// Multiplying by a sine moves a sine to the sum and the difference, at half its height.
  @Test func ringModulatesBeforeTheDrive() throws {
    let sine = Signals.sine(frequency: 1000, amplitude: 0.001, frames: 9600)
    let output = try host(["frequency": 300, "amount": 100]).play(sine).suffix(4800)
    for (frequency, expected) in [(700.0, 0.5), (1300, 0.5), (1000, 0)] {
      let measured = Spectrum.amplitude(Array(output), at: frequency) / 0.001
      #expect(abs(measured - expected) < 2e-3, "\(frequency) Hz")
    }
  }

  /// Holding each thousandth of a second shapes the spectrum by sin(πf/r) / (πf/r), images included.
  @Test func crusherHoldsFrames() throws {
    let sine = Signals.sine(frequency: 100, amplitude: 0.001, frames: 9600)
    let output = try host(["rate": 1000]).play(sine).suffix(4800)
    for frequency in [100.0, 900, 1100] {
      let angle: Double = Double.pi * frequency / 1000
      let measured = Spectrum.amplitude(Array(output), at: frequency) / 0.001
      #expect(abs(measured - abs(sin(angle) / angle)) < 3e-3, "\(frequency) Hz")
    }
  }

  @Test(arguments: [(Float(2), Float(0.5)), (3, 0.25), (1, 0), (16, 0.3)])
  func crusherKnowsFewLevels(bits: Float, expected: Float) throws {
    let host = try host(["bits": bits, "shape": Shape.hard.rawValue])
    let output = host.play(Signals.constant(0.3, frames: 400))
    // The mean goes away at 5 Hz.
    let left = pow(1 - 2 * Double.pi * 5 / 48_000, Double(400 - host.latency))
    #expect(abs(Double(output[399]) - Double(expected) * left) < 1e-4)
  }

  /// Chatter makes the ring's frequency leap: the energy leaves the two places it had.
  @Test func chatterLeapsAbout() throws {
    let host = try host([
      "frequency": 300, "amount": 100, "chatter_rate": 20, "chatter_depth": 100,
    ])
    let output = host.play(Signals.sine(frequency: 1000, amplitude: 0.001, frames: 48_000))
    for frequency in [700.0, 1300] {
      #expect(Spectrum.amplitude(output, at: frequency) / 0.001 < 0.3)
    }
    let energy = output.reduce(0) { $0 + Double($1) * Double($1) } / 48_000
    #expect(abs(energy / 0.25e-6 - 1) < 0.1)
  }

  @Test func changingTheShapeDoesNotClick() throws {
    let host = try host(["drive": 12])
    let shape = host.address("shape")
    let frames = 20_000
    let output = host.play(
      Signals.sine(frequency: 50, amplitude: 0.25, frames: frames),
      events: [
        .parameter(shape, 1, at: 5003), .parameter(shape, 2, at: 5100),
        .parameter(shape, 0, at: 15_001),
      ])
    #expect(Signals.largestStep(Array(output[1000...])) < 0.02)
    for (shape, range) in [(Shape.fold, 12_000..<15_000), (.soft, 17_000..<20_000)] {
      let expected = bentSine(
        shape, frequency: 50, amplitude: 0.25 * pow(10, 12.0 / 20), delay: host.latency,
        frames: frames)
      #expect(Deviation.worst(of: output[range]) { expected[$0] } < 4e-3)
    }
  }

  /// Another quality comes in through silence, as its latency differs.
  @Test func changingTheQualityDoesNotClick() throws {
    let host = try host(["drive": 12])
    let frames = 12_000
    let output = host.play(
      Signals.sine(frequency: 50, amplitude: 0.25, frames: frames),
      events: [.parameter(host.address("quality"), 1, at: 5003)])
    #expect(Signals.largestStep(Array(output[1000...])) < 0.02)
    #expect(host.latency == 51)
    #expect(output[6000...].contains { $0 > 0.5 })
  }

  @Test func everyPresetIsHeardAndDiffers() throws {
    let noise = Signals.noise(frames: 4800).map { $0 * 0.5 }
    let rendered = try unit.presetNames.map { try unit.host(preset: $0).play(noise) }
    #expect(rendered.count >= 8)
    for (index, signal) in rendered.enumerated() {
      let power = signal.reduce(0) { $0 + $1 * $1 } / 4800
      #expect(power > 1e-3 && power < 1, "preset \(index)")
      #expect(!rendered[..<index].contains(signal), "preset \(index)")
    }
  }
}
