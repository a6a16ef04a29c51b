import BacklineTestSupport
import Testing

/// What pedals and polyphony do to held notes, in every instrument whose voices keys start.
@Suite struct HeldNotesTests {
  static let instruments = ["aumu/sine/bkln", "aumu/poly/bkln", "aumu/fmop/bkln", "aumu/smpl/bkln"]

  /// What makes a held note stay as loud as it began.
  static let steady: [String: [String: Float]] = [
    "aumu/sine/bkln": ["attack": 0.001, "decay": 0.001, "sustain": 100],
    "aumu/poly/bkln": ["drift": 0, "filter.mode": 5, "amplifier.sustain": 100],
    "aumu/fmop/bkln": ["op1.sustain": 100, "op2.sustain": 100],
  ]

  /// A sound that begins at once and ends soon after its release. A sampler plays a looped sine.
  private func host(_ code: String, _ parameters: [String: Float] = [:]) throws -> UnitHost {
    let unit = BuiltInUnit(code)
    guard code == "aumu/smpl/bkln" else {
      return try UnitHost(unit.descriptor, outputChannels: [1], parameters: parameters)
    }
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "sine.sfz", bytes: Array("<region> sample=*sine ampeg_release=0.1".utf8))
    return try UnitHost(
      unit.descriptor, outputChannels: [1], properties: ["file": file],
      parameters: ["polyphony": 16])
  }

  /// Whether it sounds before each of the times, seconds, with `least` of the beginning's peak; nil
  /// if it is softer and not silent.
  private func sounds(
    _ code: String, _ events: [UnitHost.Event], at times: [Double], least: Float = 0.9
  ) throws -> [Bool?] {
    let host = try host(code, Self.steady[code] ?? [:])
    let output = host.render(frames: 6 * 48_000, events: events)[0]
    let loud = output[2400..<4800].map(abs).max() ?? 0
    #expect(loud > 0.01)
    return times.map { time -> Bool? in
      let end = Int(time * 48_000)
      let peak = output[(end - 2400)..<end].map(abs).max() ?? 0
      return peak > least * loud ? true : peak > 0.02 * loud ? nil : false
    }
  }

  private func control(_ number: UInt8, _ value: UInt8, at seconds: Double) -> UnitHost.Event {
    .midi([0xB0, number, value], at: Int(seconds * 48_000))
  }

  /// Sostenuto holds the keys that are down as it comes down, until it comes up; sustain goes on from
  /// there, and all sound off and a reset end it.
  @Test(arguments: instruments) func sostenutoHoldsWhatWasDown(code: String) throws {
    let note: [UnitHost.Event] = [.on(69), .off(69, at: 24_000)]
    let held = note + [control(66, 127, at: 0.2)]
    #expect(try sounds(code, held + [control(66, 0, at: 1.5)], at: [1.4, 6]) == [true, false])
    // A key that goes down later is not held, and the pedal that moves on catches nothing more.
    let later = [control(66, 127, at: 0.01), .on(69, at: 960)] + [.off(69, at: 24_000)]
    #expect(try sounds(code, later + [control(66, 90, at: 0.3)], at: [0.4, 6]) == [true, false])
    #expect(try sounds(code, held + [control(121, 0, at: 1.5)], at: [1.4, 6]) == [true, false])
    #expect(try sounds(code, held + [control(120, 0, at: 1.5)], at: [1.4, 2]) == [true, false])
    // A caught key that goes down again is held as before.
    let again: [UnitHost.Event] = [.on(69, at: 28_800), .off(69, at: 33_600)]
    let twice = held + again + [control(66, 0, at: 1.5)]
    #expect(try sounds(code, twice, at: [1.4, 6], least: 0.02) == [true, false])
    let sustained = held + [control(64, 127, at: 0.4), control(66, 0, at: 1.5)]
    #expect(
      try sounds(code, sustained + [control(64, 0, at: 2.5)], at: [2.4, 6]) == [true, false])
  }

  /// The lowest note, which the pedal holds, stays while twenty others come; the one before them goes.
  @Test(arguments: instruments) func theBassUnderThePedalStays(code: String) throws {
    var events: [UnitHost.Event] = [control(64, 127, at: 0)]
    for (index, key) in ([81, 33] + (0..<20).map { 82 + $0 }).enumerated() {
      events.append(.on(UInt8(key), at: 480 + 4800 * index))
      events.append(.off(UInt8(key), at: 2880 + 4800 * index))
    }
    let output = try host(code).render(frames: 3 * 48_000, events: events)[0]
    let end = Array(output[(5 * 24_000)...])
    let (bass, gone) = (Spectrum.amplitude(end, at: 55), Spectrum.amplitude(end, at: 880))
    #expect(bass > 4 * gone)
  }
}
