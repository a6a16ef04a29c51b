import BacklineTestSupport
import CUnit
import Foundation
import Testing

@Suite struct AnalogueFilterTests {
  private let unit = BuiltInUnit("aufx/filt/bkln")

  /// With L = 1 / (1 + s) the ladder is √(1 + k) Lⁿ / (1 + k L⁴); the state-variable filter has
  /// s² + k s + 1 below.
  private func response(mode: Int, at ratio: Double, resonance: Double) -> Phasor {
    let s = Phasor(0, ratio)
    let one = Phasor(1)
    guard mode < 4 else {
      let bottom = s * s + Phasor(2 - 0.0202 * resonance) * s + one
      let top = [s * s, s + s, s * s + one, s * s + s + s + one][mode - 4]
      return top / bottom
    }
    let k = 0.042 * resonance
    let pole = one / (one + s)
    let poles = [pole, pole * pole, pole * pole * pole, pole * pole * pole * pole]
    return Phasor((1 + k).squareRoot()) * poles[mode] / (one + Phasor(k) * poles[3])
  }

  @Test(arguments: 0..<8, [(200, 0), (1000, 80), (8000, 50)] as [(Double, Double)])
  func smallSignalsMeetTheFormula(_ mode: Int, setting: (Double, Double)) throws {
    let (cutoff, resonance) = setting
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: [
        "mode": Float(mode), "cutoff": Float(cutoff), "resonance": Float(resonance),
      ])
    let impulse = host.render(
      inputs: [[Signals.impulse(amplitude: 1e-3, frames: 12_000)]], frames: 12_000)[0]
    for frequency in [60, cutoff / 2, cutoff * 0.9, cutoff * 1.2, 5000, 15_000] {
      let expected = response(mode: mode, at: frequency / cutoff, resonance: resonance).magnitude
      guard expected > 0.1 else { continue }
      let measured = Spectrum.transform(impulse, at: frequency).magnitude / 1e-3
      #expect(abs(20 * log10(measured / expected)) < 0.1, "\(frequency) Hz")
    }
  }

  /// Started by a click, the filter goes on by itself, in tune.
  @Test(arguments: [3, 5] as [Float], [50.0, 200, 1000, 5000])
  func oscillatesAtItsCutoff(_ mode: Float, cutoff: Double) throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["mode": mode, "cutoff": Float(cutoff), "resonance": 100])
    #expect(host.tailTime == .infinity)
    let sound = host.render(
      inputs: [[Signals.impulse(amplitude: 0.5, frames: 144_000)]], frames: 144_000)[0]
    // How far the phase turns from one stretch to the next, beyond whole periods.
    let first = Spectrum.transform([Float](sound[96_000..<120_000]), at: cutoff)
    let second = Spectrum.transform([Float](sound[120_000..<144_000]), at: cutoff)
    #expect(first.magnitude / 12_000 > 0.2)
    let drift = (second / first).phase / (2 * .pi) / 0.5
    #expect(abs(1200 * log2(1 + drift / cutoff)) < 0.1)
  }

  /// Whatever is between the harmonics of a driven sine is an alias.
  @Test(arguments: [1250.0, 5000], [24, 36] as [Float])
  func theDriveDoesNotAlias(_ frequency: Double, drive: Float) throws {
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["mode": 4, "cutoff": 10, "drive": drive])
    // A frequency that shares no period with the sample rate: 997 / 1000 of it.
    let tone = frequency * 0.997
    let frames = 19_200
    let signal = Signals.sine(frequency: tone, frames: frames + 4800).map { 0.25 * $0 }
    let sound = host.render(inputs: [[signal]], frames: frames + 4800)[0].dropFirst(4800)
    let windowed: [Float] = sound.enumerated().map { frame, sample in
      let x = 2 * Double.pi * Double(frame) / Double(frames)
      let outer: Double = 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x)
      return sample * Float(0.35875 - 0.48829 * cos(x) + outer)
    }
    let carrier = Spectrum.amplitude(windowed, at: tone)
    // Harmonics beyond half the rate would land here.
    for harmonic in stride(from: 11, through: 59, by: 2) {
      let place = abs(remainder(tone * Double(harmonic), 48_000))
      let beside = abs(remainder(place, tone))
      guard place < 20_000, tone * Double(harmonic) > 24_000, beside > 25 else { continue }
      let level = Spectrum.amplitude(windowed, at: place)
      #expect(level < carrier * 3e-5, "\(place) Hz")
    }
  }

  @Test func staysWithinBoundsUnderAnyMovement() throws {
    let frames = 9600
    let host = try UnitHost(
      unit.descriptor, inputChannels: [1], outputChannels: [1],
      parameters: ["resonance": 100, "drive": 36])
    let events = (0..<frames / 24).flatMap { step in
      let target: Float = step % 2 == 0 ? 20_000 : 10
      return [
        UnitHost.Event.parameter(
          host.address("cutoff"), target, ramp: step % 24, at: 24 * step),
        .parameter(host.address("mode"), Float(step % 8), ramp: 0, at: 24 * step),
      ]
    }
    let noise = Signals.noise(frames: frames).map { 10 * $0 }
    let sound = host.render(inputs: [[noise]], frames: frames, blockSizes: [64], events: events)
    #expect(sound[0].allSatisfy { abs($0) < 20 })
    host.reset()
    let again = host.render(inputs: [[noise]], frames: frames, blockSizes: [17], events: events)
    #expect(identical(sound, again))
  }
}
