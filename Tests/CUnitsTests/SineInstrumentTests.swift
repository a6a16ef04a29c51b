import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

@Suite struct SineInstrumentTests {
  let unit = BuiltInUnit("aumu/sine/bkln")

  /// Returns an instrument of one channel at full level. Notes start within a millisecond and stay
  /// full until released.
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    let plain: [String: Float] = [
      "level": 0, "attack": 0.001, "decay": 0.001, "sustain": 100, "release": 0.1,
    ]
    return try UnitHost(
      unit.descriptor, outputChannels: [1], parameters: plain.merging(parameters) { $1 })
  }

  /// Returns the frequency of a sine's last second, Hz.
  private func frequency(_ signal: [Float]) -> Double {
    Pitch.frequency(of: Array(signal.suffix(48_000)))
  }

  private func loudest(_ signal: some Sequence<Float>) -> Float { signal.map(abs).max() ?? 0 }

  @Test(arguments: [(UInt8(0x7F), UInt8(0x7F), Float(2), 2.0), (0, 0, 12, -12), (0, 0x60, 2, 1)])
  func bendMovesThePitch(low: UInt8, high: UInt8, range: Float, semitones: Double) throws {
    let host = try host(["bend_range": range])
    let output = host.render(
      frames: 52_000, events: [.on(69), .midi([0xE0, low, high], at: 200)])[0]
    let expected: Double = 440 * pow(2, semitones / 12)
    #expect(abs(frequency(output) / expected - 1) < 1e-4)
    #expect(Signals.largestStep(output) < 0.13)
  }

  @Test func bendMovesItsOwnChannelOnly() throws {
    let output = try host().render(
      frames: 52_000, events: [.on(69, channel: 3), .midi([0xE2, 0, 0], at: 0)])[0]
    #expect(abs(frequency(output) - 440) < 0.01)
  }

  /// The third partial of 8372 Hz would fold back to 22,884 Hz.
  @Test func theCubeDoesNotAlias() throws {
    let output = try host(["waveform": 1]).render(frames: 9600, events: [.on(120)])[0]
    let expected = Pitch.ofKey(120)
    let steady = Array(output.suffix(4800))
    let folded = 48_000 - 3 * expected
    #expect(Spectrum.amplitude(steady, at: folded) < 0.01)
    #expect(abs(Spectrum.amplitude(steady, at: expected) - 0.75) < 0.01)
  }

  /// An exponential goes on from where it is.
  @Test func envelopeChangesApplyAtOnce() throws {
    let host = try host(["attack": 0.1, "decay": 0.2, "sustain": 50, "release": 5])
    let output = host.render(
      frames: 96_000,
      events: [
        .on(93, at: 0), .parameter(host.address("envelope.sustain"), 80, at: 30_000),
        .off(93, at: 60_000), .parameter(host.address("envelope.release"), 0.1, at: 70_000),
      ])[0]
    func level(_ frame: Int) -> Double { Double(loudest(output[(frame - 28)..<(frame + 28)])) }
    #expect(abs(level(29_900) - 0.5) < 0.01)
    #expect(abs(level(34_800) - (0.8 - 0.3 / 32)) < 0.02)
    #expect(abs(level(59_900) - 0.8) < 0.01)
    #expect(level(69_900) > 0.5 && level(72_400) < 0.04)
    #expect(output[74_900...].allSatisfy { $0 == 0 })
  }

  @Test func envelopeStagesLastAsLongAsTheySay() throws {
    let host = try host(["attack": 0.1, "decay": 0.2, "sustain": 50, "release": 0.3])
    let start = 1003
    let end = start + 30_000
    let output = host.render(
      frames: 60_000, events: [.on(93, at: start), .off(93, at: end)])[0]
    #expect(output[...start].allSatisfy { $0 == 0 })

    /// The loudest of one period and more around a frame is the envelope there.
    func level(_ frame: Int) -> Double { Double(loudest(output[(frame - 28)..<(frame + 28)])) }
    /// From 1 to 0 over a stage: 60 dB of an exponential.
    func exponential(_ share: Double) -> Double {
      (pow(2, -10 * share) - pow(2, -10)) / (1 - pow(2, -10))
    }
    for share in [0.25, 0.5, 0.75] {
      #expect(abs(level(start + Int(4800 * share)) - share) < 0.02)
      let decay = 0.5 + 0.5 * exponential(share)
      #expect(abs(level(start + 4800 + Int(9600 * share)) - decay) < 0.02)
      let release = 0.5 * exponential(share)
      #expect(abs(level(end + Int(14_400 * share)) - release) < 0.02)
    }
    #expect(abs(level(start + 4800) - 1) < 0.02)
    #expect(abs(level(start + 14_500) - 0.5) < 0.01)
    #expect(output[(end + 14_400)...].allSatisfy { $0 == 0 })
    #expect(output[(end + 13_000)..<(end + 14_400)].contains { $0 != 0 })
    #expect(abs(host.tailTime - 0.3) < 1e-6)
  }

  @Test(arguments: [UInt8(1), 32, 64, 100, 127]) func loudnessIsVelocitySquared(velocity: UInt8)
    throws
  {
    let output = try host().render(frames: 4800, events: [.on(69, velocity)])[0]
    let expected = Float(velocity) * Float(velocity) / (127 * 127)
    #expect(abs(loudest(output.suffix(2400)) / expected - 1) < 1e-3)
  }

  @Test func levelIsAFader() throws {
    for (decibels, expected) in [(Float(-20), Float(0.1)), (-96, 0)] {
      let output = try host(["level": decibels]).render(frames: 4800, events: [.on(69)])[0]
      #expect(abs(loudest(output.suffix(2400)) - expected) < 1e-3)
    }
  }

  @Test func aNoteOnWithoutVelocityIsANoteOff() throws {
    let output = try host().render(frames: 20_000, events: [.on(69), .on(69, 0, at: 4800)])[0]
    #expect(loudest(output[4000..<4800]) > 0.9)
    #expect(output[(4800 + 4800)...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [UInt8(120), 121, 123, 126]) func controllersSilence(controller: UInt8) throws {
    let held = controller == 121  // resetting controllers lifts the pedal
    let keys: [UInt8] = [60, 64, 67]
    var events = keys.map { UnitHost.Event.on($0, 60) }
    if held {
      events.append(.control(64, 127, at: 0))
      events += keys.map { UnitHost.Event.off($0, at: 2000) }
    }
    events.append(.control(controller, 0, at: 5000))
    let output = try host().render(
      frames: 20_000, events: events)[0]
    #expect(loudest(output[4000..<5000]) > 0.3)
    // All sound off fades at once, the others release.
    let end = 5000 + (controller == 120 ? 192 : 4800)
    #expect(output[(end + 1)...].allSatisfy { $0 == 0 })
    #expect(Signals.largestStep(output) < 0.1)
  }

  @Test func resettingControllersCentresTheWheels() throws {
    let output = try host().render(
      frames: 52_000,
      events: [
        .midi([0xE0, 0, 0], at: 0), .control(1, 127, at: 0), .control(121, 0, at: 1),
        .on(69, at: 2),
      ])[0]
    #expect(abs(frequency(output) - 440) < 0.01)
  }

  /// With the modulation wheel up, the pitch moves by the depth and no further.
  @Test func theWheelBringsVibrato() throws {
    let host = try host(["rate": 5, "depth": 100])
    let output = host.render(frames: 96_000, events: [.on(81), .control(1, 127, at: 0)])[0]
    // Frames from one rising zero to the next, refined between frames.
    var zeros: [Double] = []
    for frame in 4800..<95_999 where output[frame] < 0 && output[frame + 1] >= 0 {
      let share = output[frame] / (output[frame] - output[frame + 1])
      zeros.append(Double(frame) + Double(share))
    }
    let pitches = zip(zeros, zeros.dropFirst()).map { 48_000 / ($1 - $0) }
    let widest: Double = pow(2, 1.0 / 12)
    #expect(abs((pitches.max() ?? 0) / (880 * widest) - 1) < 2e-3)
    #expect(abs((pitches.min() ?? 0) / (880 / widest) - 1) < 2e-3)
  }

  /// The seventeenth note takes the place of the first above the lowest, or of one that is released
  /// already.
  @Test(arguments: [false, true]) func stealingDoesNotClick(oneIsReleased: Bool) throws {
    // All notes sound at once; each is soft, so that a step is small and a click is large.
    let notes = (0..<17).map { UInt8(40 + $0) }
    var events = notes.enumerated().map { UnitHost.Event.on($1, 64, at: 100 * $0) }
    if oneIsReleased { events.append(.off(45, at: 1550)) }
    let host = try host(["release": 5])
    let output = host.render(frames: 24_000, events: events)[0]
    let gone = oneIsReleased ? UInt8(45) : 41
    let steady = Array(output.suffix(19_200))
    var steepest: Float = 0
    for note in notes {
      let turn: Double = 2 * Double.pi * Pitch.ofKey(note) / 48_000
      steepest += Float(0.254 * (turn + 1.0 / 48))
    }
    #expect(Signals.largestStep(output) < steepest / 2)
    for note in notes {
      let amplitude = Spectrum.amplitude(steady, at: Pitch.ofKey(note))
      #expect(note == gone ? amplitude < 0.05 : amplitude > 0.15, "note \(note)")
    }
  }

  @Test func stealingALoudVoiceFadesIt() throws {
    // Fifteen notes that cannot be heard, and one that can: it began first, and is stolen.
    let faint = (0..<15).map { UnitHost.Event.on(20 + $0, 1, at: 10) }
    let events: [UnitHost.Event] = [.on(57)] + faint + [.on(100, 1, at: 9609)]
    let output = try host().render(frames: 14_400, events: events)[0]
    #expect(loudest(output[9000..<9600]) > 0.9)
    #expect(Signals.largestStep(Array(output[9500...])) < 0.05)
    #expect(loudest(output[9900...]) < 0.01)
  }

  @Test(arguments: [0, 1]) func aFloodOfNotesStaysBounded(apart: Int) throws {
    var random = Random(seed: 5)
    let events = (0..<10_000).map { index in
      UnitHost.Event.on(
        UInt8.random(in: 0..<128, using: &random), UInt8.random(in: 1..<128, using: &random),
        channel: UInt8.random(in: 0..<16, using: &random), at: apart * (index % 4096))
    }
    let output = try host().render(frames: 24_000, blockSizes: [4096], events: events)[0]
    #expect(output.allSatisfy { $0.isFinite })
    #expect(loudest(output) <= 32)
    // At most sixteen go on.
    #expect(loudest(output[10_000...]) <= 16)
    #expect(loudest(output[10_000...]) > 0.01)
  }

  @Test func changingTheWaveformDoesNotClick() throws {
    let host = try host()
    let output = host.render(
      frames: 9600,
      events: [.on(57), .parameter(host.address("waveform"), 1, at: 4909)])[0]
    #expect(Signals.largestStep(output) < 0.06)
    let steady = Array(output.suffix(2400))
    #expect(abs(Spectrum.amplitude(steady, at: 660) - 0.25) < 1e-2)
  }

  @Test func bothChannelsSoundAlike() throws {
    let host = try UnitHost(unit.descriptor)
    let output = host.render(frames: 2000, events: [.on(69, at: 3)])
    #expect(output.count == 2 && output[0] == output[1] && loudest(output[0]) > 0.1)
  }
}
