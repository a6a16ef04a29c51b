import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The sampler plays SoundFonts as the specification says (SoundFont Technical Specification 2.04),
/// and where players agree on something else, as FluidSynth 2.3 does.
@Suite struct SoundFontTests {
  let unit = BuiltInUnit("aumu/smpl/bkln")
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// 500 Hz, looped after 10 periods.
  private static let sine = SoundFile.sine(500, frames: 9600).channels[0]

  private func zone(_ generators: [SoundFontFile.Generator]) -> SoundFontFile.Zone {
    SoundFontFile.Zone(Self.sine, loop: 960..<8640, generators + [(54, 1)])
  }

  private func host(_ presets: [SoundFontFile.Preset], channels: Int = 1) throws -> UnitHost {
    let file = try folder.write("font.sf2", bytes: SoundFontFile(presets: presets).bytes)
    return try UnitHost(unit.descriptor, outputChannels: [channels], properties: ["file": file])
  }

  private func play(
    _ generators: [SoundFontFile.Generator], frames: Int, _ events: [UnitHost.Event],
    ofPreset: [SoundFontFile.Generator] = []
  ) throws -> [Float] {
    try host([SoundFontFile.Preset(zones: [zone(generators)], generators: ofPreset)])
      .render(frames: frames, events: events)[0]
  }

  private func timecents(_ seconds: Double) -> Int { Int((1200 * log2(seconds)).rounded()) }

  /// The amplitude of a sine over 10 periods from a frame on.
  private func amplitude(_ output: [Float], _ frequency: Double, from frame: Int) -> Double {
    let periods = Int((10 * 48_000 / frequency).rounded())
    return SineFit(output[frame..<(frame + periods)], frequency: frequency, sampleRate: 48_000)
      .amplitude
  }

  @Test(
    arguments: [
      ([], 127, 0), ([], 64, -11.904), ([(48, 100)], 127, -4), ([(17, -500)], 127, 0),
      ([(9, 60)], 127, -3),
    ] as [([SoundFontFile.Generator], UInt8, Double)])
  func levelsAreAsSaid(generators: [SoundFontFile.Generator], velocity: UInt8, decibels: Double)
    throws
  {
    let output = try play(generators, frames: 3000, [.on(60, velocity)])
    #expect(abs(20 * log10(amplitude(output, 500, from: 1000) / 0.5) - decibels) < 0.02)
  }

  /// A preset adds to what its instrument says.
  @Test func presetsAddToInstruments() throws {
    let output = try play(
      [(51, 3), (48, 50)], frames: 3000, [.on(60)], ofPreset: [(51, 4), (48, 50), (43, 0x4030)])
    let seventh = 500 * pow(2, 7 / 12.0)
    #expect(abs(20 * log10(amplitude(output, seventh, from: 1000) / 0.5) + 4) < 0.05)
    let above = try play([], frames: 3000, [.on(65)], ofPreset: [(43, 0x4030)])
    #expect(above.allSatisfy { $0 == 0 })
  }

  @Test func volumeEnvelopeIsAsSaid() throws {
    let output = try play(
      [
        (33, timecents(0.05)), (34, timecents(0.1)), (35, timecents(0.05)), (36, timecents(1)),
        (37, 200), (38, timecents(0.5)),
      ], frames: 48_000, [.on(60), .midi([0x80, 60, 0], at: 24_000)])
    func decibels(_ seconds: Double) -> Double {
      20 * log10(amplitude(output, 500, from: Int(seconds * 48_000) - 480) / 0.5)
    }
    #expect(output[..<2399].allSatisfy { $0 == 0 })
    #expect(abs(decibels(0.1) - 20 * log10(0.5)) < 0.1)
    #expect(abs(decibels(0.175)) < 0.02)
    // 96 dB a second, down to 20 % of 96 dB; then 96 dB in half a second.
    #expect(abs(decibels(0.3) + 9.6) < 0.15)
    #expect(abs(decibels(0.45) + 19.2) < 0.02)
    #expect(abs(decibels(0.6) + 38.4) < 0.3)
  }

  @Test func modulationEnvelopeMovesPitchAndFilter() throws {
    let output = try play([(7, 2400), (29, 500)], frames: 9000, [.on(60)])
    let fit = SineFit(output[4000...], frequency: 1000, sampleRate: 48_000)
    #expect(fit.residual < 1e-3 * fit.amplitude)
    // 250 Hz, an octave up: -3 dB at 500 Hz.
    let cutoff = Int((6900 + 1200 * log2(250 / 440.0)).rounded())
    let filtered = try play([(8, cutoff), (11, 2400), (29, 500)], frames: 9000, [.on(60)])
    #expect(abs(20 * log10(amplitude(filtered, 500, from: 6000) / 0.5) + 3.01) < 0.05)
  }

  /// The delay of the volume envelope does not delay the other one.
  @Test func eachEnvelopeHasItsOwnDelay() throws {
    let output = try play(
      [(7, 1200), (26, timecents(0.1)), (33, timecents(0.1))], frames: 9000, [.on(60)])
    #expect(output[..<4799].allSatisfy { $0 == 0 })
    let fit = SineFit(output[5000...], frequency: 1000, sampleRate: 48_000)
    #expect(fit.residual < 1e-3 * fit.amplitude)
  }

  @Test func theWheelDeepensTheVibrato() throws {
    let rate = Int((1200 * log2(5 / 8.1758)).rounded())
    let still = try play([(24, rate)], frames: 48_000, [.on(60)])
    #expect(abs(amplitude(still, 500, from: 2400) - 0.5) < 1e-3)
    let moved = try play(
      [(24, rate)], frames: 57_600, [.midi([0xB0, 1, 127], at: 0), .on(60, at: 1200)])
    // At the top of a triangle of 50 cents the pitch is 50 cents up.
    let top = moved[(1200 + 2400 - 120)..<(1200 + 2400 + 120)]
    let fit = SineFit(top, frequency: 500 * pow(2, 49 / 1200.0), sampleRate: 48_000)
    #expect(fit.residual < 0.01 * fit.amplitude)
  }

  /// Velocity moves the level by the zone's own curve: 48 dB in a straight line, and not at all.
  @Test func modulatorsTakeThePlaceOfTheUsual() throws {
    var zone = self.zone([])
    for (amount, source, decibels) in [
      (480, 0x0102, -23.811), (0, 0x0502, 0), (480, 0x0502, -5.952),
    ] {
      zone.modulators = [.init(source: 0x0502, destination: 48, amount: 0)]
      zone.modulators.append(.init(source: source, destination: 48, amount: amount))
      let output = try host([SoundFontFile.Preset(zones: [zone])])
        .render(frames: 3000, events: [.on(60, 64)])[0]
      #expect(abs(20 * log10(amplitude(output, 500, from: 1000) / 0.5) - decibels) < 0.02)
    }
    // Controller 20 raises the pitch by an octave.
    zone.modulators = [.init(source: 0x94, destination: 52, amount: 1200)]
    let output = try host([SoundFontFile.Preset(zones: [zone])])
      .render(frames: 6000, events: [.midi([0xB0, 20, 127], at: 0), .on(60, at: 1000)])[0]
    #expect(abs(amplitude(output, 1000, from: 2000) - 0.5) < 1e-3)
  }

  @Test func aClassEndsItsOwn() throws {
    let output = try play([(57, 5)], frames: 6000, [.on(60), .on(72, at: 2000)])
    #expect(amplitude(output, 500, from: 4000) < 1e-3)
    #expect(abs(amplitude(output, 1000, from: 4000) - 0.5) < 1e-3)
  }

  @Test func presetsAreChosenByParametersAndPrograms() throws {
    let presets = [(0, 0, 0), (0, 5, 3), (1, 5, 5), (128, 0, 7)].map { bank, program, semitones in
      SoundFontFile.Preset(bank: bank, program: program, zones: [zone([(51, semitones)])])
    }
    /// Semitones that the sounding preset adds.
    func semitones(_ parameters: [String: Float], _ messages: [[UInt8]], channel: UInt8 = 0) throws
      -> Int?
    {
      let host = try host(presets)
      for (name, value) in parameters { host.set(name, value) }
      let events =
        messages.map { UnitHost.Event.midi($0, at: 0) } + [.midi([0x90 | channel, 60, 127], at: 1)]
      let output = host.render(frames: 3000, events: events)[0]
      return (0...7).first {
        abs(amplitude(output, 500 * pow(2, Double($0) / 12), from: 1000) - 0.5) < 0.01
      }
    }
    #expect(try semitones([:], []) == 0)
    #expect(try semitones(["program": 6], []) == 3)
    #expect(try semitones(["program": 6, "bank": 1], []) == 5)
    #expect(try semitones([:], [[0xC0, 5]]) == 3)
    #expect(try semitones([:], [[0xB0, 0, 1], [0xC0, 5]]) == 5)
    // A bank counts from the next program change on.
    #expect(try semitones([:], [[0xC0, 5], [0xB0, 0, 1]]) == 3)
    // The tenth channel has the drums from the beginning, and the first kit for one that is missing.
    #expect(try semitones([:], [], channel: 9) == 7)
    #expect(try semitones(["program": 6, "bank": 1], [], channel: 9) == 7)
    #expect(try semitones([:], [[0xC9, 40]], channel: 9) == 7)
    // A bank that the file does not have, and a program that it does not.
    #expect(try semitones(["program": 6, "bank": 9], []) == 3)
    #expect(try semitones(["program": 78], []) == 0)
  }

  @Test func bendsByTheRangeOfItsChannel() throws {
    let events: [UnitHost.Event] = [
      .midi([0xB0, 101, 0], at: 0), .midi([0xB0, 100, 0], at: 0), .midi([0xB0, 6, 12], at: 0),
      .midi([0xE0, 0x7F, 0x7F], at: 0), .on(60, at: 100),
    ]
    let output = try play([], frames: 9000, events)
    #expect(abs(amplitude(output, 1000, from: 4000) - 0.5) < 1e-3)
    // Controller 121 leaves the range, and lets data entry set nothing.
    let reset: [UnitHost.Event] = [
      .midi([0xB0, 101, 0], at: 0), .midi([0xB0, 100, 0], at: 0), .midi([0xB0, 121, 0], at: 0),
      .midi([0xB0, 6, 12], at: 0), .midi([0xE0, 0x7F, 0x7F], at: 0), .on(60, at: 100),
    ]
    let usual = try play([], frames: 9000, reset)
    #expect(abs(amplitude(usual, 500 * pow(2, 2 / 12.0), from: 4000) - 0.5) < 1e-3)
  }

  /// Without drums, the tenth channel plays what the others do.
  @Test func theTenthChannelPlaysWithoutDrums() throws {
    let output = try play([], frames: 3000, [.midi([0x99, 60, 127], at: 0)])
    #expect(abs(amplitude(output, 500, from: 1000) - 0.5) < 1e-3)
  }
}
