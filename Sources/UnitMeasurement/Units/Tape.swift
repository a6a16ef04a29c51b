import Foundation

extension MeasuredUnit {
  static let tape = MeasuredUnit(
    "aufx/tape/bkln", material: .chords,
    presetMaterial: ["Hot Drums": .drums, "Master 30": .mix],
    figures: [
      losses("3.75", speed: 0), losses("7.5", speed: 1), losses("15", speed: 2),
      losses("30", speed: 3),
      magnetisation(1000, bias: 0, amplitude: 0.8, drive: 6),
      magnetisation(1000, bias: 80, amplitude: 0.5, drive: 12),
      magnetisation(3000, bias: 50, amplitude: 0.9, drive: 0),
      deviation("wow", 1, rate: 2), deviation("wow", 0.5, rate: 2), deviation("wow", 0.2, rate: 3),
      deviation("flutter", 0.5, rate: 8), deviation("flutter", 0.2, rate: 10),
      hiss(-60), hiss(-40),
      Figure("Worst alias of 5 kHz at -6 dB, drive 24 dB", in: "dBc", .atMost(-90)) { unit in
        try alias(unit, ["drive": 24])
      },
      Figure("Worst alias of 5 kHz at -6 dB, drive 24 dB, no bias", in: "dBc", .atMost(-90)) {
        unit in
        try alias(unit, ["drive": 24, "bias": 0])
      },
      Figure("Worst alias of 5 kHz at -6 dB, drive 0 dB, no bias", in: "dBc", .atMost(-60)) {
        unit in
        try alias(unit, ["bias": 0])
      },
    ]
  ) { unit in
    Plot(
      "Harmonics of 1 kHz at -6 dB, drive 12 dB, by bias", x: .frequency,
      y: .decibels(-120...0, step: 20, "Level"),
      try ([0, 50, 100] as [Float]).map { bias in
        let host = try unit.host(PlainTape.parameters.merging(["bias": bias, "drive": 12]) { $1 })
        let output = host.play(Signals.sine(frequency: 1000, amplitude: 0.5, frames: 48_000))
        return Plot.Curve("\(Int(bias)) %", LineSpectrum(output).curve())
      })
  }

  /// Returns Bertram's loss; spacing, thickness and gap in µm, speed in inches a second.
  private static func loss(
    _ frequency: Double, speed: Double = 30, spacing: Double = 0, thickness: Double = 1,
    gap: Double = 1
  ) -> Double {
    let waves = 2 * Double.pi * frequency / (speed * 0.0254)
    let (layer, half) = (waves * thickness * 1e-6, waves * gap * 1e-6 / 2)
    return exp(-waves * spacing * 1e-6) * (1 - exp(-layer)) / layer * sin(half) / half
  }

  /// Measures four heads beside Bertram's formula, 60 Hz to 20 kHz. Quiet sounds on a tape with
  /// full bias have the gain c / (1 - c α / 3).
  private static func losses(_ inches: String, speed: Double) -> Figure {
    Figure(
      "Gain of soft sound, four heads, \(inches) ips: worst difference from Bertram's", in: "dB",
      .atMost(0.2)
    ) { unit in
      try [(0.0, 1.0, 1.0), (0.3, 5, 2), (2, 5, 1), (2, 12, 4)].flatMap {
        spacing, thickness, gap -> [Double] in
        let head: [String: Float] = [
          "bias": 100, "speed": Float(speed), "head.spacing": Float(spacing),
          "head.thickness": Float(thickness), "head.gap": Float(gap),
        ]
        let response = try unit.host(PlainTape.parameters.merging(head) { $1 }).play(
          Signals.impulse(amplitude: 1e-3, frames: 4096))
        let gain = 0.9 / (1 - 0.9 * 1.6e-3 * 350 / 22 / 3) / 1000
        let frequencies: [Double] = [
          60, 125, 250, 500, 1000, 2000, 4000, 6000, 8000, 12_000, 16_000, 20_000,
        ]
        return frequencies.compactMap { frequency -> Double? in
          let expected = loss(
            frequency, speed: 3.75 * pow(2, speed), spacing: spacing, thickness: thickness,
            gap: gap)
          guard abs(expected) > 0.01 else { return nil }
          let measured = Spectrum.transform(response, at: frequency).magnitude
          return abs(Level.decibels(measured / gain / expected))
        }
      }.worst
    }
  }

  /// Measures the harmonics of a sine beside those of a fine solution, at 64 times the rate.
  private static func magnetisation(
    _ frequency: Double, bias: Double, amplitude: Double, drive: Double
  ) -> Figure {
    Figure(
      "Difference of harmonics of \(Int(frequency)) Hz at \(amplitude), drive \(Int(drive)) dB, "
        + "bias \(Int(bias)) %, from a fine solution's", in: "dBc", .atMost(-50)
    ) { unit in
      let drives = Level.amplitude(drive)
      var solution = Magnetisation(reversible: 0.17 + 0.73 * bias / 100)
      var mean = 0.0
      let expected = (0..<2400).map { frame -> Float in
        for part in 0..<64 where frame > 0 {
          let time = (Double(frame - 1) + Double(part + 1) / 64) / 48_000
          solution.move(to: 1.5 * drives * amplitude * sin(2 * .pi * frequency * time))
        }
        // A high-pass at 5 Hz.
        mean += 2 * .pi * 5 / 48_000 * (solution.magnetisation - mean)
        return Float(2 / drives * (solution.magnetisation - mean))
      }
      let settings = ["bias": Float(bias), "drive": Float(drive)]
      let host = try unit.host(PlainTape.parameters.merging(settings) { $1 })
      let sine = Signals.sine(
        frequency: frequency, amplitude: amplitude, frames: 2400 + host.latency)
      let output = Array(host.play(sine).suffix(960))
      var (error, power) = (0.0, 0.0)
      for harmonic in stride(from: frequency, to: 20_000, by: frequency) {
        let right = Spectrum.transform(Array(expected.suffix(960)), at: harmonic)
        let off = Spectrum.transform(output, at: harmonic) - right * Phasor(loss(harmonic))
        error += off.magnitude * off.magnitude
        power += right.magnitude * right.magnitude
      }
      return 10 * log10(error / power)
    }
  }

  /// Measures the hiss beside the knob's level after the head's losses.
  private static func hiss(_ level: Double) -> Figure {
    let losses = stride(from: 50.0, to: 24_000, by: 100).map { pow(loss($0), 2) }
    let expected = level + 10 * log10(losses.reduce(0, +) / Double(losses.count))
    return Figure(
      "Level of hiss at a knob of \(Int(level)) dB", in: "dB", .near(expected, within: 0.3)
    ) { unit in
      let host = try unit.host(PlainTape.parameters.merging(["hiss": Float(level)]) { $1 })
      return Level.rms(host.play(Signals.constant(0, frames: 48_000)).suffix(24_000))
    }
  }

  private static func alias(_ unit: BuiltInUnit, _ parameters: [String: Float]) throws -> Double {
    let sine = Signals.sine(frequency: 4978, amplitude: 0.5, frames: 48_000)
    let output = try unit.host(PlainTape.parameters.merging(parameters) { $1 }).play(sine)
    return LineSpectrum(output).worstAlias(of: 4978)
  }

  private static func deviation(_ name: String, _ depth: Double, rate: Float) -> Figure {
    Figure(
      "Deviation of the pitch, \(name) \(depth) %", in: "%", .near(depth, within: 0.02 * depth)
    ) { unit in
      let settings = ["\(name).depth": Float(depth), "\(name).rate": rate, "bias": 100]
      let sine = Signals.sine(frequency: 4000, amplitude: 0.1, frames: 48_000)
      let host = try unit.host(PlainTape.parameters.merging(settings) { $1 })
      return Pitch.deviation(of: host.play(sine), around: 4000)
    }
  }
}

/// A tape recorder that adds little of its own.
package enum PlainTape {
  /// The parameters for a head with hardly any loss, and a steady transport.
  package static let parameters: [String: Float] = [
    "speed": 3, "head.spacing": 0, "head.thickness": 1, "head.gap": 1, "wow.depth": 0,
    "flutter.depth": 0, "output": 0,
  ]
}

/// Jiles and Atherton's equation of the magnetisation, by the Runge-Kutta method of fourth order.
private struct Magnetisation {
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
