import BacklineTestSupport
import CUnit
import Foundation
import Testing
import UnitMeasurement

/// The effect of keys, controllers and modulation on the poly synth.
@Suite struct PolyKeysTests {
  let unit = BuiltInUnit("aumu/poly/bkln")

  /// Returns a synth of one channel: a sine without a filter. Notes start within a millisecond and
  /// stay full.
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    let plain: [String: Float] = [
      "level": 0, "drift": 0, "filter.mode": 5, "filter.envelope": 0, "amplifier.attack": 0.001,
      "amplifier.sustain": 100, "amplifier.velocity": 0, "amplifier.release": 0.01, "osc1.shape": 0,
    ]
    return try UnitHost(
      unit.descriptor, outputChannels: [1], parameters: plain.merging(parameters) { $1 })
  }

  private func loudest(_ signal: some Sequence<Float>) -> Float { signal.map(abs).max() ?? 0 }

  @Test(arguments: [(Float(2), 2.0), (12, 12)]) func bendMovesThePitch(
    range: Float, semitones: Double
  ) throws {
    let output = try host(["bend_range": range]).render(
      frames: 26_000, events: [.on(57), .midi([0xE0, 0x7F, 0x7F], at: 200)])[0]
    let pitch = Pitch.frequency(of: Array(output.suffix(24_000)))
    #expect(abs(Pitch.cents(from: 220, to: pitch) - 100 * semitones) < 0.1)
  }

  /// A quarter of a member's 48 semitones is an octave; the master's two go to all.
  @Test func aNoteOfAZoneBendsAlone() throws {
    let output = try host(["level": -12]).render(
      frames: 26_000,
      events: [
        .midi([0xB0, 101, 0], at: 0), .midi([0xB0, 100, 6], at: 0), .midi([0xB0, 6, 5], at: 0),
        .on(69, channel: 1), .on(45, channel: 2), .midi([0xE1, 0, 80], at: 0),
      ])[0]
    let full = 0.2511886
    for frequency in [880, 110.0] {
      let fit = SineFit(output.suffix(24_000), frequency: frequency, sampleRate: 48_000)
      #expect(abs(fit.amplitude - full) < 2e-3)
    }
    #expect(SineFit(output.suffix(24_000), frequency: 440, sampleRate: 48_000).amplitude < 1e-3)
  }

  /// An exponential goes on from where it is.
  @Test func envelopeChangesApplyAtOnce() throws {
    let host = try host([
      "amplifier.attack": 0.1, "amplifier.decay": 0.2, "amplifier.sustain": 50,
      "amplifier.release": 5,
    ])
    let output = host.render(
      frames: 96_000,
      events: [
        .on(93, at: 0), .parameter(host.address("amplifier.sustain"), 80, at: 30_000),
        .off(93, at: 60_000), .parameter(host.address("amplifier.release"), 0.1, at: 70_000),
      ])[0]
    func level(_ frame: Int) -> Double { Double(loudest(output[(frame - 27)..<(frame + 28)])) }
    #expect(abs(level(29_900) - 0.5) < 0.01)
    #expect(abs(level(34_800) - (0.8 - 0.3 / 32)) < 0.02)
    #expect(abs(level(59_900) - 0.8) < 0.01)
    #expect(level(69_900) > 0.5 && level(72_400) < 0.04)
    #expect(loudest(output[74_900...]) < 1e-6)
  }

  /// An attack is 1.5 (1 - 3^-t); a decay and a release are 60 dB of an exponential.
  @Test func envelopeStagesLastAsLongAsTheySay() throws {
    let host = try host([
      "amplifier.attack": 0.1, "amplifier.decay": 0.2, "amplifier.sustain": 50,
      "amplifier.release": 0.3,
    ])
    let start = 1003
    let end = start + 16_000
    let output = host.render(
      frames: 34_000, events: [.on(93, at: start), .off(93, at: end)])[0]
    #expect(loudest(output[..<start]) == 0)
    func level(_ frame: Int) -> Double { Double(loudest(output[(frame - 27)..<(frame + 28)])) }
    func fall(_ share: Double) -> Double { (pow(2, -10 * share) - pow(2, -10)) / (1 - pow(2, -10)) }
    for share in [0.25, 0.5, 0.75] {
      // The loudest of one period is half of it later than the frame while the level rises, less
      // the latency.
      let attack: Double = 1.5 * (1 - pow(3, -(share + 25.0 / 4800)))
      #expect(abs(level(start + Int(4800 * share)) / attack - 1) < 0.01)
      let decay: Double = 0.5 + 0.5 * fall(share - 27.0 / 9600)
      #expect(abs(level(start + 4800 + Int(9600 * share)) / decay - 1) < 0.01)
      let release: Double = 0.5 * fall(share - 27.0 / 14_400)
      #expect(abs(level(end + Int(14_400 * share)) / release - 1) < 0.02)
    }
    #expect(loudest(output[(end + 14_400 + 40)...]) < 1e-6)
    #expect(abs(host.tailTime - 0.3) < 1e-6)
  }

  /// Fifteen notes that cannot be heard, and one that can: it began first, and is stolen. What is
  /// left beside its own frequency is the click.
  @Test func stealingAVoiceDoesNotClick() throws {
    let faint = (0..<15).map { UnitHost.Event.on(20 + $0, 1, at: 10) }
    let events: [UnitHost.Event] = [.on(45)] + faint + [.on(100, 1, at: 4800)]
    let output = try host(["amplifier.velocity": 100]).render(frames: 9600, events: events)[0]
    #expect(loudest(output[3600..<4800]) > 0.9)
    #expect(loudest(output[5400...]) < 0.01)
    // The second difference of a sine of 110 Hz is 2e-4 of it; a click would be far above.
    let bends = zip(output[4600...], zip(output[4601...], output[4602...])).map {
      $0 - 2 * $1.0 + $1.1
    }
    #expect(loudest(bends) < 1e-3)
  }

  /// The last key that is down sounds; when it is let go, the one before returns.
  @Test(arguments: [Float(1), 2]) func aMonoModePlaysTheLastKey(_ mode: Float) throws {
    let output = try host(["mode": mode, "amplifier.attack": 0.1]).render(
      frames: 43_200,
      events: [.on(57), .on(69, at: 14_400), .off(69, at: 28_800)])[0]
    func level(_ range: Range<Int>, _ frequency: Double) -> Double {
      SineFit(output[range], frequency: frequency, sampleRate: 48_000).amplitude
    }
    #expect(level(9600..<14_400, 220) > 0.99)
    #expect(level(24_000..<28_800, 440) > 0.99 && level(24_000..<28_800, 220) < 1e-3)
    #expect(level(38_400..<43_200, 220) > 0.99 && level(38_400..<43_200, 440) < 1e-3)
    // A sine of 440 Hz has steps of 0.058; the half-band filters ring a little where the pitch jumps.
    #expect(Signals.largestStep(output) < 0.08)
  }

  /// All sound off and all notes off let go the keys of their channel, a master's those of its zone.
  @Test(arguments: [UInt8(120), 123], [Float(1), 2])
  func aMonoModeForgetsTheKeysOfOneChannel(_ controller: UInt8, mode: Float) throws {
    let zone: [UnitHost.Event] = [(101, 0), (100, 6), (6, 5)].map { .midi([0xB0, $0, $1], at: 0) }
    let cases: [([UnitHost.Event], UInt8, Bool)] = [
      ([], 5, true), ([], 1, false), (zone, 0, false),
    ]
    for (before, ending, returns) in cases {
      let ends = UnitHost.Event.midi([0xB0 | ending, controller, 0], at: 64)
      let output = try host(["mode": mode]).render(
        frames: 36_000,
        events: before + [
          .on(57, channel: 1), ends, .on(69, channel: 2, at: 12_000),
          .off(69, channel: 2, at: 24_000),
        ])[0]
      #expect((loudest(output[30_000...]) > 0.5) == returns, "channel \(ending)")
    }
  }

  /// Keys that were struck before the mode was mono end with their note-offs.
  @Test(arguments: [Float(1), 2]) func noNoteHangsWhenTheModeChanges(_ mode: Float) throws {
    let host = try host()
    let chord: [UInt8] = [48, 52, 55]
    let output = host.render(
      frames: 14_400,
      events: chord.map { UnitHost.Event.on($0) }
        + [.parameter(host.address("mode"), mode, at: 2400)]
        + chord.map { UnitHost.Event.off($0, at: 4800) })[0]
    #expect(loudest(output[3600..<4800]) > 1)
    #expect(loudest(output[9600...]) == 0)
  }

  /// Half way in half of the time.
  @Test func glideGoesFromKeyToKey() throws {
    let output = try host(["mode": 2, "glide": 0.5]).render(
      frames: 38_400, events: [.on(57), .on(69, at: 4800)])[0]
    let crossings = (15_800..<17_800).filter { output[$0] < 0 && output[$0 + 1] >= 0 }
    let frames = Double(crossings.last! - crossings.first!)
    let frequency = 48_000 * Double(crossings.count - 1) / frames
    #expect(abs(frequency / (220 * 2.0.squareRoot()) - 1) < 0.02)
    #expect(SineFit(output.suffix(4800), frequency: 440, sampleRate: 48_000).amplitude > 0.99)
  }

  /// A square LFO at full depth: silent for half of its turn.
  @Test func anLFOMovesTheLevel() throws {
    let output = try host([
      "lfo1.shape": 4, "lfo1.rate": 10, "lfo1.level": 100, "lfo1.retrigger": 1,
    ]).render(frames: 9600, events: [.on(81)])[0]
    #expect(loudest(output[1000..<2390]) > 0.99)
    #expect(loudest(output[2420..<4790]) < 1e-3)
    #expect(loudest(output[5000..<7190]) > 0.99)
  }

  /// The envelope opens the filter by octaves.
  @Test func theEnvelopeMovesTheCutoff() throws {
    func fundamental(_ parameters: [String: Float]) throws -> Double {
      let output = try host(
        parameters.merging(["filter.mode": 0, "osc1.level": 2, "envelope.sustain": 50]) { $1 }
      ).render(frames: 48_000, events: [.on(69)])[0]
      return SineFit(output.suffix(9600), frequency: 440, sampleRate: 48_000).amplitude
    }
    let opened = try fundamental(["filter.cutoff": 110, "filter.envelope": 4])
    let open = try fundamental(["filter.cutoff": 440, "filter.envelope": 0])
    #expect(abs(20 * log10(opened / open)) < 0.05)
  }

  @Test func soundDoesNotDependOnTheBlocks() throws {
    let parameters: [String: Float] = [
      "osc1.shape": 3, "osc2.level": 70, "osc2.fm": 1, "mixer.sub": 30, "mixer.noise": 10,
      "unison.voices": 3, "lfo1.cutoff": 1, "lfo2.pitch": 30, "lfo2.shape": 5, "lfo2.rate": 20,
      "glide": 0.05, "drift": 20, "filter.mode": 0, "filter.resonance": 80, "filter.drive": 10,
    ]
    var random = Random(seed: 9)
    let host = try host(parameters)
    let moves: [(String, ClosedRange<Int>)] = [
      ("unison.voices", 1...4), ("osc1.shape", 0...3), ("mode", 0...2), ("osc2.sync", 0...1),
      ("voices", 1...12), ("filter.mode", 0...5),
    ]
    let events = (0..<40).flatMap { turn -> [UnitHost.Event] in
      let channel = UInt8(turn % 5)
      let frame = turn * 97
      let (name, range) = moves[turn % moves.count]
      let value = Float(Int.random(in: range, using: &random))
      let note = UInt8.random(in: 40...80, using: &random)
      return [
        .on(note, UInt8(1 + turn * 3), channel: channel, at: frame),
        .midi([0xE0 | channel, 0, UInt8(turn * 3)], at: frame + 31),
        .midi([0xB0 | channel, 1, UInt8(turn * 3)], at: frame + 43),
        .parameter(host.address(name), value, at: frame + 50),
        .parameter(host.address("filter.cutoff"), Float(100 + turn * 90), ramp: 60, at: frame + 55),
        .off(note, channel: channel, at: frame + 80),
      ]
    }
    let whole = host.render(frames: 4200, blockSizes: [4096], events: events)
    #expect(loudest(whole[0]) > 0.1)
    for blocks in [[1], [17], [480, 3]] {
      #expect(
        identical(
          whole, try self.host(parameters).render(frames: 4200, blockSizes: blocks, events: events))
      )
    }
  }

  @Test func sixHardNotesStayWithinFullScale() throws {
    let host = try UnitHost(unit.descriptor, outputChannels: [1])
    let chord = [48, 52, 55, 60, 64, 67].map { UnitHost.Event.on($0) }
    let output = host.render(frames: 9600, events: chord)[0]
    #expect(loudest(output) < 1)
  }

  @Test func aFloodOfNotesStaysBounded() throws {
    var random = Random(seed: 5)
    let events = (0..<2000).map { index in
      UnitHost.Event.on(
        UInt8.random(in: 0..<128, using: &random), UInt8.random(in: 1..<128, using: &random),
        channel: UInt8.random(in: 0..<16, using: &random), at: 2 * (index % 1024))
    }
    let output = try host(["filter.mode": 0, "filter.resonance": 100]).render(
      frames: 4800, blockSizes: [4096], events: events)[0]
    #expect(loudest(output) < 40 && loudest(output) > 0.01)
  }
}
