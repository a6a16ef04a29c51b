import BacklineTestSupport
import Foundation
import UnitMeasurement

/// How far a unit that plays a circuit is from ngspice.
struct CircuitErrors {
  /// The error's power for a driven sine of 1.2 kHz, beside the sound's, dB.
  let driven: Double
  /// The errors of the gain of very quiet sounds, 30 Hz to 15 kHz, dB.
  let response: [(frequency: Double, error: Double)]

  /// - Parameters:
  ///   - gain: the factor from volts at the output to full scale.
  ///   - amplitude: the sine's amplitude, volts.
  ///   - little: the impulse's amplitude, volts.
  ///   - host: creates an instance at 48 kHz.
  init(
    _ netlist: String, gain: Double, amplitude: Double, little: Double = 1e-4,
    host: () throws -> UnitHost
  ) throws {
    let (frequency, duration) = (1200.0, 0.01)
    let right = try CircuitSimulator.run(
      netlist, frequency: frequency, amplitude: amplitude, duration: duration, points: 8)
    let unit = try host()
    let latency = unit.latency
    let sine = (0..<Int(duration * 48_000) + latency).map { frame in
      let time = Double(frame) / 48_000
      let fade = time < 0.002 ? 0.5 - 0.5 * cos(.pi * time / 0.002) : 1
      return Float(amplitude * fade * sin(2 * .pi * frequency * time))
    }
    let output = unit.play(sine).dropFirst(latency)
    // Six periods, which both have from 4 ms on.
    let ours = Self.lines(
      Array(output[(latency + 192)..<(latency + 432)]), of: frequency, rate: 48_000)
    let theirs = Self.lines(Array(right.sound[2000..<4500]), of: frequency, rate: 500_000)
    var (error, power) = (0.0, 0.0)
    for (line, reference) in zip(ours, theirs) {
      let expected = reference * Phasor(gain)
      error += pow((line - expected).magnitude, 2)
      power += pow(expected.magnitude, 2)
    }
    driven = 10 * log10(error / power)

    // The difference of an impulse up and another down is without what sounds in silence.
    let (up, down) = try (
      host().play(Signals.impulse(amplitude: Float(little), frames: 9600)),
      host().play(Signals.impulse(amplitude: Float(-little), frames: 9600))
    )
    let impulse = zip(up, down).map { ($0 - $1) / 2 }
    response = right.response.map { frequency, factor in
      let measured = Spectrum.transform(impulse, at: frequency).magnitude / little
      return (frequency, 20 * log10(measured / abs(gain * factor)))
    }
  }

  /// Returns the lines of a sound at multiples of a frequency, under a Hann window.
  private static func lines(_ sound: [Float], of frequency: Double, rate: Double) -> [Phasor] {
    let windowed = sound.enumerated().map { frame, sample in
      sample * Float(0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(sound.count)))
    }
    return stride(from: 0, to: 20_000, by: frequency).map {
      Spectrum.transform(windowed, at: $0, sampleRate: rate) * Phasor(4 / Double(sound.count))
    }
  }
}
