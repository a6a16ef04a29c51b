import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// The sound of the poly synth: its oscillators and its filter.
@Suite struct PolySynthTests {
  let unit = BuiltInUnit("aumu/poly/bkln")

  enum Shape: Float { case sine, triangle, saw, pulse }

  /// Returns a synth of one channel: the first oscillator alone at full level, without a filter. A note
  /// stays full.
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    let plain: [String: Float] = [
      "level": 0, "drift": 0, "filter.mode": 5, "filter.envelope": 0, "amplifier.attack": 0.001,
      "amplifier.sustain": 100, "amplifier.velocity": 0,
    ]
    return try UnitHost(
      unit.descriptor, outputChannels: [1], parameters: plain.merging(parameters) { $1 })
  }

  /// The last frames of a note that has begun before.
  private func sound(
    _ parameters: [String: Float], note: UInt8 = 69, frames: Int
  ) throws -> [Float] {
    let all = try host(parameters).render(
      frames: 1200 + frames, events: [.midi([0x90, note, 127], at: 0)])
    return [Float](all[0].suffix(frames))
  }

  private func pitch(_ note: UInt8) -> Double { 440 * pow(2, (Double(note) - 69) / 12) }

  private func amplitude(_ shape: Shape, _ harmonic: Int, width: Double) -> Double {
    let n = Double(harmonic)
    switch shape {
    case .sine: return harmonic == 1 ? 1 : 0
    case .triangle: return harmonic.isMultiple(of: 2) ? 0 : 8 / (.pi * .pi * n * n)
    case .saw: return 2 / (.pi * n)
    case .pulse: return abs(4 / (.pi * n) * sin(.pi * n * width))
    }
  }

  @Test(arguments: [Shape.sine, .triangle, .saw, .pulse]) func harmonicsAreFouriers(_ shape: Shape)
    throws
  {
    let output = try sound(["osc1.shape": shape.rawValue, "osc1.width": 30], frames: 4800)
    for harmonic in 1...40 {
      let measured = Spectrum.amplitude(output, at: 440 * Double(harmonic))
      let expected = amplitude(shape, harmonic, width: 0.3)
      if expected > 1e-4 {
        #expect(abs(20 * log10(measured / expected)) < 0.01, "\(shape) \(harmonic)")
      } else {
        #expect(measured < 1e-5, "\(shape) \(harmonic)")
      }
    }
  }

  @Test(arguments: [Shape.triangle, .saw, .pulse], [UInt8(58), 95, 111])
  func wavesDoNotAlias(_ shape: Shape, note: UInt8) throws {
    let output = try sound(
      ["osc1.shape": shape.rawValue, "osc1.width": 30], note: note, frames: 8192)
    #expect(LineSpectrum(output).worstAlias(of: pitch(note)) < -120)
  }

  /// The synced wave is periodic with the first oscillator: a plain Fourier series of it.
  @Test(arguments: [Shape.sine, .triangle, .saw, .pulse], [7.3, 19.45] as [Double])
  func aSyncedOscillatorHasItsHarmonicsAndNoAliases(_ shape: Shape, interval: Double) throws {
    let output = try sound(
      [
        "osc1.level": 0, "osc2.level": 100, "osc2.sync": 1, "osc2.shape": shape.rawValue,
        "osc2.width": 30, "osc2.pitch": Float(interval),
      ], note: 81, frames: 8192)
    let spectrum = LineSpectrum(output)
    let harmonics = (0...27).map { 880 * Double($0) }
    let loudest = spectrum.peak(from: 100, to: 20_000)
    #expect(spectrum.peak(from: 0, to: 20_000, except: harmonics) - loudest < -100)

    let ratio: Double = pow(2, interval / 12)
    let points = 1 << 15
    let period = (0..<points).map { point -> Float in
      let phase = ((Double(point) + 0.5) / Double(points) * ratio).truncatingRemainder(
        dividingBy: 1)
      switch shape {
      case .sine: return Float(sin(2 * .pi * phase))
      case .triangle:
        return Float(1 - 4 * abs((phase + 0.25).truncatingRemainder(dividingBy: 1) - 0.5))
      case .saw: return Float(2 * phase - 1)
      case .pulse: return phase < 0.3 ? 1.4 : -0.6
      }
    }
    for harmonic in [1, 2, 3, 8, 15, 20] {
      let expected = Spectrum.amplitude(
        period, at: Double(harmonic), sampleRate: Double(points))
      guard 20 * log10(expected) > loudest - 50 else { continue }
      let measured = Spectrum.amplitude(
        [Float](output.suffix(7800)), at: 880 * Double(harmonic))
      #expect(abs(20 * log10(measured / expected)) < 0.1, "\(shape) \(harmonic)")
    }
  }

  /// The index is the deviation over the frequency of the modulator: J_n of it.
  @Test(arguments: [0.5, 2, 5] as [Double]) func sidebandsAreBessels(_ index: Double) throws {
    let output = try sound(
      [
        "osc1.shape": 0, "osc1.level": 0, "osc2.shape": 0, "osc2.level": 100, "osc2.pitch": 36,
        "osc2.fm": Float(index),
      ], frames: 4800)
    for order in 0...6 {
      let measured = Spectrum.amplitude(output, at: 3520 + 440 * Double(order))
      #expect(abs(measured - abs(jn(Int32(order), index))) < 1e-4, "\(order)")
    }
  }

  @Test func theSubIsASquareAnOctaveBelow() throws {
    let output = try sound(["osc1.level": 0, "mixer.sub": 100], frames: 4800)
    for harmonic in 1...20 {
      let measured = Spectrum.amplitude(output, at: 220 * Double(harmonic))
      #expect(abs(measured - amplitude(.pulse, harmonic, width: 0.5)) < 1e-3)
    }
  }

  @Test func noiseIsWhite() throws {
    let output = try sound(["osc1.level": 0, "mixer.noise": 100], frames: 48_000)
    let power = output.reduce(0) { $0 + Double($1 * $1) } / 48_000
    // As loud as a saw: 1/3 over all of the spectrum, of which 0.9 passes the half-band filters.
    #expect(abs(power - 1.0 / 3) < 0.05)
    let halves = zip(output, output.dropFirst()).reduce(0) { $0 + Double($1.0 * $1.1) } / 48_000
    #expect(abs(halves / power) < 0.12)
  }

  /// With L = 1 / (1 + s) the ladder is √(1 + k) L⁴ / (1 + k L⁴); the state-variable filter has
  /// s² + d s + 1 below.
  private func response(mode: Int, at ratio: Double, resonance: Double) -> Double {
    let s = Phasor(0, ratio)
    let one = Phasor(1)
    if mode == 0 {
      let k = 0.042 * resonance
      let pole = one / (one + s)
      let four = pole * pole * pole * pole
      return (Phasor((1 + k).squareRoot()) * four / (one + Phasor(k) * four)).magnitude
    }
    let top = [one, s + s, s * s, s * s + one][mode - 1]
    return (top / (s * s + Phasor(2 - 0.0202 * resonance) * s + one)).magnitude
  }

  @Test(arguments: 0..<5, [(700, 0), (1000, 80), (8000, 50)] as [(Double, Double)])
  func smallSignalsMeetTheFormula(_ mode: Int, setting: (Double, Double)) throws {
    let (cutoff, resonance) = setting
    let filtered = try sound(
      [
        "osc1.level": 1, "filter.mode": Float(mode), "filter.cutoff": Float(cutoff),
        "filter.resonance": Float(resonance),
      ], frames: 9600)
    for harmonic in [1, 2, 3, 5, 10, 18, 25, 33] {
      let frequency = 440 * Double(harmonic)
      let expected = response(mode: mode, at: frequency / cutoff, resonance: resonance)
      guard expected > 0.1 else { continue }
      let measured = Spectrum.amplitude([Float](filtered.suffix(4800)), at: frequency)
      let gain = measured / (0.01 * amplitude(.saw, harmonic, width: 0))
      #expect(abs(20 * log10(gain / expected)) < 0.1, "\(frequency) Hz")
    }
  }

  @Test(arguments: [Float(0), 1], [200.0, 5000])
  func theFilterOscillatesAtItsCutoff(_ mode: Float, cutoff: Double) throws {
    let host = try host([
      "osc1.level": 0, "mixer.noise": 3, "filter.mode": mode, "filter.cutoff": Float(cutoff),
      "filter.resonance": 100,
    ])
    let output = host.render(
      frames: 48_000,
      events: [
        .midi([0x90, 69, 127], at: 0), .parameter(host.address("mixer.noise"), 0, at: 2400),
      ])[
        0]
    let first = Spectrum.transform([Float](output[24_000..<36_000]), at: cutoff)
    let second = Spectrum.transform([Float](output[36_000...]), at: cutoff)
    #expect(first.magnitude / 6000 > 0.2)
    let drift = (second / first).phase / (2 * .pi) / 0.25
    #expect(abs(1200 * log2(1 + drift / cutoff)) < 3)
  }

  /// At -75 dBc or less with the most drive.
  @Test func theDriveHardlyAliases() throws {
    let output = try sound(["osc1.shape": 0, "filter.drive": 24], note: 111, frames: 8192)
    #expect(LineSpectrum(output).worstAlias(of: pitch(111)) < -75)
    #expect(Spectrum.amplitude(output, at: pitch(111)) > 0.2)
  }

  /// Two copies, detuned to either side and panned there.
  @Test func unisonDetunesAndSpreads() throws {
    let host = try UnitHost(
      unit.descriptor,
      parameters: [
        "level": 0, "drift": 0, "filter.mode": 5, "amplifier.sustain": 100, "amplifier.velocity": 0,
        "osc1.shape": 0, "unison.voices": 2, "unison.detune": 50, "unison.spread": 100,
      ])
    let output = host.render(frames: 49_200, events: [.midi([0x90, 69, 127], at: 0)])
    for (channel, cents) in [(0, -50.0), (1, 50)] {
      let frequency: Double = 440 * pow(2, cents / 1200)
      let fit = SineFit(output[channel].suffix(9600), frequency: frequency, sampleRate: 48_000)
      #expect(abs(fit.amplitude - 1) < 1e-3)
      #expect(fit.residual < 2e-3)
    }
  }

  @Test(arguments: 0..<40) func everyPresetSounds(_ index: Int) throws {
    let preset = unit.facts.factory_presets[index]
    let values = (0..<preset.value_count).map { preset.values[$0] }
    let host = try UnitHost(unit.descriptor, outputChannels: [1])
    for value in values {
      host.set(path(of: value.address), value.value)
    }
    let keys: [UInt8] = index < 10 ? [36] : [48, 60, 64, 67]
    let output = host.render(
      frames: 4800, events: keys.map { .midi([0x90, $0, 127], at: 0) })[0]
    let peak = output.map(abs).max() ?? 0
    #expect(peak > 1e-4 && peak < 1, "\(String(cString: preset.name))")
  }

  @Test(arguments: BuiltInUnit("aumu/poly/bkln").presetNames) func chordsHaveRoom(name: String)
    throws
  {
    let chord: [UInt8] = [48, 55, 60, 64, 67]
    let output = try unit.host(preset: name).render(
      frames: 48_000, events: chord.map { .midi([0x90, $0, 100], at: 0) })
    #expect(output.joined().allSatisfy { abs($0) < 1 })
  }

  @Test func aPianoHasRoomForAllItsKeys() throws {
    let output = try unit.host(preset: "Electric Piano").render(
      frames: 144_000, events: UnitHost.Event.everyPianoKey)
    #expect(output.joined().allSatisfy { abs($0) < 1 })
  }

  private func path(of address: UInt64) -> String {
    let info = unit.facts.parameters[Int(address)]
    let own = String(cString: info.identifier)
    return info.group.map { "\(String(cString: $0)).\(own)" } ?? own
  }
}
