import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// What keys and controllers do to the FM synth.
@Suite struct FMKeysTests {
  let unit = BuiltInUnit("aumu/fmop/bkln")

  /// One channel, a sine; notes begin within a millisecond and stay full.
  private func host(_ parameters: [String: Float] = [:]) throws -> UnitHost {
    let plain: [String: Float] = [
      "level": 0, "op2.level": 0, "op1.sustain": 100, "op1.velocity": 0, "op1.release": 0.01,
    ]
    return try UnitHost(
      unit.descriptor, outputChannels: [1], parameters: plain.merging(parameters) { $1 })
  }

  private func loudest(_ signal: some Sequence<Float>) -> Float { signal.map(abs).max() ?? 0 }

  private func amplitude(_ signal: some Collection<Float>, _ frequency: Double) -> Double {
    SineFit(signal, frequency: frequency, sampleRate: 48_000).amplitude
  }

  /// A bend moves the pitch by two semitones, or by those of the note's own channel in a zone of MPE.
  @Test func bendAndZonesMoveThePitch() throws {
    let bent = try host().render(
      frames: 7200, events: [.on(57), .midi([0xE0, 0x7F, 0x7F], at: 100)])[0]
    #expect(abs(amplitude(bent.suffix(4800), 220 * pow(2, 1.0 / 6)) - 1) < 1e-3)
    let zone = try host(["level": -12]).render(
      frames: 7200,
      events: [
        .midi([0xB0, 101, 0], at: 0), .midi([0xB0, 100, 6], at: 0), .midi([0xB0, 6, 5], at: 0),
        .midi([0x91, 69, 127], at: 0), .midi([0x92, 45, 127], at: 0), .midi([0xE1, 0, 80], at: 0),
      ])[0]
    for frequency in [880, 110.0] {
      #expect(abs(amplitude(zone.suffix(4800), frequency) - 0.2511886) < 2e-3)
    }
    #expect(amplitude(zone.suffix(4800), 440) < 1e-3)
  }

  /// At 100 %, attack and decay are half as long an octave above middle C; the release is not.
  @Test(arguments: [(UInt8(60), 1.0), (72, 0.5)]) func timesFollowTheKey(
    _ note: UInt8, _ share: Double
  ) throws {
    let host = try host([
      "key_times": 100, "op1.attack": 0.1, "op1.decay": 0.2, "op1.sustain": 50, "op1.release": 0.3,
      "op1.fixed": 1, "op1.frequency": 2000,
    ])
    let end = 16_000
    let output = host.render(frames: 33_000, events: [.on(note), .off(note, at: end)])[0]
    func level(_ frame: Double) -> Double {
      amplitude(output[Int(frame) - 48..<Int(frame) + 48], 2000)
    }
    func fall(_ share: Double) -> Double { (pow(2, -10 * share) - pow(2, -10)) / (1 - pow(2, -10)) }
    #expect(abs(level(2400 * share) - 1.5 * (1 - pow(3, -0.5))) < 0.01)
    #expect(abs(level((4800 + 4800) * share) - (0.5 + 0.5 * fall(0.5))) < 0.01)
    #expect(abs(level(Double(end) + 3600) - 0.5 * fall(0.25)) < 0.01)
    #expect(loudest(output[(end + 14_400 + 40)...]) < 1e-6)
    #expect(abs(host.tailTime - 0.3) < 1e-6)
  }

  /// The release of a carrier that is heard counts; that of a modulator does not.
  @Test func theTailIsTheCarriers() throws {
    let parameters: [String: Float] = [
      "op1.release": 0.1, "op2.release": 5, "op3.release": 0.2, "op4.release": 3,
    ]
    #expect(abs(try host(parameters).tailTime - 0.2) < 1e-6)
    #expect(abs(try host(parameters.merging(["algorithm": 32]) { $1 }).tailTime - 5) < 1e-6)
  }

  @Test func thePedalHoldsWhatIsReleased() throws {
    let output = try host().render(
      frames: 9600,
      events: [
        .control(64, 127), .on(69, at: 10), .off(69, at: 1200), .control(64, 0, at: 6000),
      ])[0]
    #expect(loudest(output[5000..<6000]) > 0.99)
    #expect(loudest(output[6600...]) < 1e-6)
  }

  /// Fifteen notes that cannot be heard, and one that can: it began first, and is stolen.
  @Test func stealingAVoiceDoesNotClick() throws {
    let quiet = (0..<15).map { UnitHost.Event.on(20 + $0, 1, at: 10) }
    let output = try host(["op1.velocity": 100]).render(
      frames: 9600, events: [.on(45)] + quiet + [.on(100, 1, at: 4800)])[0]
    #expect(loudest(output[3600..<4800]) > 0.9)
    #expect(loudest(output[5400...]) < 0.01)
    // The second difference of a sine of 110 Hz is 2e-4 of it; a click would be far above.
    let bends = zip(output[4600...], zip(output[4601...], output[4602...])).map {
      $0 - 2 * $1.0 + $1.1
    }
    #expect(loudest(bends) < 1e-3)
  }

  /// The sound goes from an index of 5 to a second carrier within 20 ms.
  @Test func anotherAlgorithmTakesOverWithoutAClick() throws {
    let host = try host(["op2.level": 50, "op2.sustain": 100, "op1.ratio": 0.25, "op2.ratio": 0.25])
    let output = host.render(
      frames: 9600,
      events: [.on(57), .parameter(host.address("algorithm"), 23, at: 4800)])[0]
    // At most 6 times the slope of a sine of 55 Hz while it is modulated.
    #expect(Signals.largestStep(output) < 0.06)
    #expect(abs(amplitude(output.suffix(3491), 55) - 1.5) < 0.01)
  }

  @Test func soundDoesNotDependOnTheBlocks() throws {
    var parameters: [String: Float] = [
      "feedback": 20, "lfo.pitch": 30, "lfo.level": 40, "lfo.fade": 0.05, "key_times": 50,
      "op2.key": -3,
    ]
    for index in 1...6 {
      parameters["op\(index).level"] = 30
      parameters["op\(index).decay"] = 0.02
      parameters["op\(index).sustain"] = 60
    }
    var random = Random(seed: 9)
    let host = try host(parameters)
    let moves: [(String, ClosedRange<Int>)] = [
      ("algorithm", 1...32), ("voices", 1...12), ("op1.fixed", 0...1), ("bend_range", 0...12),
    ]
    let events = (0..<40).flatMap { turn -> [UnitHost.Event] in
      let channel = UInt8(turn % 5)
      let frame = turn * 97
      let (name, range) = moves[turn % moves.count]
      let value = Float(Int.random(in: range, using: &random))
      let note = UInt8.random(in: 40...80, using: &random)
      return [
        .midi([0x90 | channel, note, UInt8(1 + turn * 3)], at: frame),
        .midi([0xE0 | channel, 0, UInt8(turn * 3)], at: frame + 31),
        .midi([0xB0 | channel, 74, UInt8(turn * 3)], at: frame + 43),
        .parameter(host.address(name), value, at: frame + 50),
        .parameter(host.address("op3.ratio"), Float(1 + turn % 7), ramp: 60, at: frame + 55),
        .midi([0x80 | channel, note, 0], at: frame + 80),
      ]
    }
    let whole = host.render(frames: 4200, blockSizes: [4096], events: events)
    #expect(loudest(whole[0]) > 0.1)
    for blocks in [[1], [17], [480, 3]] {
      let cut = try self.host(parameters).render(frames: 4200, blockSizes: blocks, events: events)
      #expect(identical(whole, cut))
    }
  }

  @Test func aFloodOfNotesStaysBounded() throws {
    var random = Random(seed: 5)
    let ranges: [Range<UInt8>] = [0x90..<0xA0, 0..<128, 1..<128]
    let events = (0..<2000).map { index -> UnitHost.Event in
      let bytes = ranges.map { UInt8.random(in: $0, using: &random) }
      return .midi(bytes, at: 2 * (index % 1024))
    }
    let output = try host(["feedback": 100, "op2.level": 100]).render(
      frames: 4800, blockSizes: [4096], events: events)[0]
    #expect(loudest(output) < 40 && loudest(output) > 0.01)
  }
}
