import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The sampler plays the sounds of SFZ files as they say; what SoundFonts say is in SoundFontTests.
@Suite struct SamplerTests {
  let sfz: SFZFolder

  init() throws { sfz = try SFZFolder() }

  // MARK: - Reading samples

  @Test(arguments: [0, 1, 31, 32, 1003]) func beginsAtItsFrameWithTheSampleItself(start: Int) throws
  {
    let output = try sfz.play("<region> sample=sine.wav", frames: 12_000, [.on(60, at: start)])
    let sample = SoundFile.sine(500, frames: 9600).channels[0]
    #expect(output[..<start].allSatisfy { $0 == 0 })
    #expect(Array(output[start..<(start + 9600)]) == sample)
    #expect(output[(start + 9600)...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [(UInt8(0), UInt8(0), -1200.0), (0, 0x40, 0), (0x7F, 0x7F, 700)])
  func bends(low: UInt8, high: UInt8, cents: Double) throws {
    let text = """
      <region> sample=sine.wav bend_up=700 bend_down=-1200 tune=30 transpose=-1
      loop_mode=loop_continuous loop_start=0 loop_end=9599
      """
    let output = try sfz.play(
      text, frames: 12_000, [.midi([0xE0, low, high], at: 0), .on(64, at: 100)])
    let expected: Double = 500 * pow(2, (cents + 330) / 1200)
    let fit = SineFit(output[500...], frequency: expected, sampleRate: 48_000)
    #expect(fit.residual < 5e-4 * fit.amplitude)
  }

  @Test func goesRoundALoopUntilTheKeyIsReleased() throws {
    let text = """
      <region> sample=steps.wav loop_mode=loop_sustain loop_start=100 loop_end=199
      ampeg_release=100
      """
    let output = try sfz.play(text, frames: 1000, [.on(60), .off(60, at: 520)])
    let errors = (0..<600).map { frame in
      // The loop has 100 frames; at 520 it is left from frame 120 on.
      let place = frame < 200 ? frame : frame < 520 ? 100 + frame % 100 : frame - 400
      let fall: Double = frame < 520 ? 1 : exp(-9 * Double(frame - 520) / 4_800_000)
      return abs(output[frame] - Float(place) / 1000 * Float(fall))
    }
    #expect((errors.max() ?? 1) < 2e-6)
  }

  @Test func crossfadesTheEndOfALoop() throws {
    let text = """
      <region> sample=steps.wav loop_mode=loop_continuous loop_start=480 loop_end=959
      loop_crossfade=0.005
      """
    let output = try sfz.play(text, frames: 1200, [.on(60)])
    let errors = (720..<960).map { frame in
      let share = Double(frame - 720) / 240 * .pi / 2
      let expected = cos(share) * Double(frame) / 1000 + sin(share) * Double(frame - 480) / 1000
      return abs(Double(output[frame]) - expected)
    }
    #expect((errors.max() ?? 1) < 1e-5)
    #expect(output[960...].prefix(200).elementsEqual((480..<680).map { Float($0) / 1000 }))
  }

  @Test func takesTheLoopAndTheKeyOfAFile() throws {
    func word(_ numbers: Int...) -> [UInt8] {
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
    let samples = (0..<1000).flatMap { [UInt8(truncatingIfNeeded: $0 * 8), UInt8($0 * 8 / 256)] }
    let sampler = word(0, 0, 0, 72, 0, 0, 0, 1, 0) + word(0, 0, 300, 399, 0, 0)
    let format: [UInt8] = [1, 0, 1, 0] + word(48_000, 96_000) + [2, 0, 16, 0]
    let content =
      Array("WAVEfmt ".utf8) + word(16) + format + Array("smpl".utf8) + word(sampler.count)
      + sampler + Array("data".utf8) + word(samples.count) + samples
    let file = try sfz.folder.write(
      "looped.wav", bytes: Array("RIFF".utf8) + word(content.count) + content)
    let host = try UnitHost(sfz.unit.descriptor, outputChannels: [1], properties: ["file": file])
    let output = host.render(frames: 1000, events: [.on(72)])[0]
    let expected = (0..<1000).map { frame -> Float in
      let place = frame < 400 ? frame : 300 + frame % 100
      return Float(place * 8) / 32_768
    }
    #expect(output == expected)
  }

  // MARK: - Level

  @Test(arguments: [
    ("", 1), ("volume=-6", 0.501187), ("amplitude=50", 0.5), ("amp_keytrack=-1", 0.316228),
    ("xfin_lokey=60 xfin_hikey=80 xf_keycurve=gain", 0.5),
    ("xfout_lokey=60 xfout_hikey=80", 0.707107),
    ("xfin_locc20=0 xfin_hicc20=127", 0.707107), ("volume_oncc20=-12", 0.501187),
    ("amplitude_oncc20=100", 0.5),
  ]) func levelsAreAsSaid(opcodes: String, expected: Float) throws {
    let text = "<control> set_cc20=63.5 <region> sample=ones.wav pitch_keytrack=0 \(opcodes)"
    let output = try sfz.play(text, frames: 100, [.on(70)])
    #expect(abs(output[50] / 0.5 - expected) < 1e-4)
  }

  @Test(arguments: [
    ("", Float(100), UInt8(64), Float(0.253952)), ("amp_veltrack=0", 100, 64, 1),
    ("amp_veltrack=50", 100, 64, 0.626976), ("", 50, 64, 0.626976),
    ("amp_veltrack=-100", 100, 127, 0), ("amp_velcurve_64=0.8", 100, 64, 0.8),
    ("amp_velcurve_64=0.8", 100, 32, 0.4),
  ])
  func velocityIsAsSaid(opcodes: String, sensitivity: Float, velocity: UInt8, expected: Float)
    throws
  {
    let output = try sfz.play(
      "<region> sample=ones.wav \(opcodes)", frames: 100, [.on(60, velocity)],
      ["velocity": sensitivity])
    #expect(abs(output[50] / 0.5 - expected) < 1e-4)
  }

  @Test func panIsOfEqualPower() throws {
    for pan in [-100.0, -40, 0, 75, 100] {
      let output = try sfz.host("<region> sample=ones.wav pan=\(pan)", channels: 2)
        .render(frames: 100, events: [.on(60)])
      let angle = (pan / 100 + 1) * .pi / 4
      #expect(abs(Double(output[0][50]) - 0.5 * cos(angle)) < 1e-6)
      #expect(abs(Double(output[1][50]) - 0.5 * sin(angle)) < 1e-6)
    }
  }

  @Test func envelopeIsAsSaid() throws {
    let text = """
      <region> sample=ones.wav loop_mode=loop_continuous loop_start=0 loop_end=47999
      ampeg_delay=0.01 ampeg_attack=0.05 ampeg_hold=0.02 ampeg_decay=0.4 ampeg_sustain=20
      ampeg_release=0.2
      """
    let output = try sfz.play(text, frames: 40_000, [.on(60, at: 7), .off(60, at: 24_007)])
    func level(_ seconds: Double) -> Double { 2 * Double(output[7 + Int(seconds * 48_000)]) }
    #expect(level(0.009) == 0)
    for share in [0.1, 0.5, 0.9] { #expect(abs(level(0.01 + 0.05 * share) - share) < 1e-4) }
    #expect(abs(level(0.07) - 1) < 1e-6)
    // 9 nepers in a whole decay or release.
    for after in [0.02, 0.05] {
      #expect(abs(level(0.08 + after) / exp(-9 * after / 0.4) - 1) < 1e-3)
    }
    #expect(abs(level(0.3) - 0.2) < 1e-6)
    for after in [0.02, 0.1] {
      #expect(abs(level(0.5 + after) / (0.2 * exp(-9 * after / 0.2)) - 1) < 1e-3)
    }
    #expect(output.last == 0)
  }

  @Test(arguments: [
    ("lpf_2p", 0.707107), ("hpf_2p", 0.707107), ("bpf_2p", 1), ("lpf_1p", 0.707107),
    ("hpf_1p", 0.707107), ("brf_2p", 0),
  ]) func filtersAtTheirCutoff(type: String, expected: Double) throws {
    let text = """
      <region> sample=sine.wav fil_type=\(type) cutoff=250 fil_keytrack=100 fil_keycenter=48
      """
    let output = try sfz.play(text, frames: 9000, [.on(60)])
    let fit = SineFit(output[6000...], frequency: 500, sampleRate: 48_000)
    #expect(abs(fit.amplitude / 0.5 - expected) < 0.002)
  }

  @Test func envelopesAndOscillatorsMoveThePitch() throws {
    // An octave up while the envelope stands at half of two; and by a whole wheel.
    for opcodes in [
      "pitcheg_depth=2400 pitcheg_sustain=50", "pitchlfo_freq=0 tune_oncc1=1200",
    ] {
      let output = try sfz.play(
        "\(SFZFolder.looped) \(opcodes)", frames: 9000, [.control(1, 127), .on(60, at: 2000)])
      let fit = SineFit(output[4000...], frequency: 1000, sampleRate: 48_000)
      #expect(abs(fit.amplitude - 0.5) < 1e-3)
    }
    // A vibrato of ±β turns of phase: the carrier has J0(2πβ'), here J0(1.5) = 0.5118.
    let depth = 1200 * log2(1 + 1.5 * 5 / 500.0)
    let output = try sfz.play(
      "\(SFZFolder.looped) pitchlfo_freq=5 pitchlfo_depth=\(depth)", frames: 48_000, [.on(60)])
    let carrier = SineFit(output[9600...], frequency: 500, sampleRate: 48_000).amplitude
    #expect(abs(carrier / 0.5 - 0.5118) < 0.01)
  }

  /// A delayed region is the same sound, later.
  @Test func delaysAllOfARegion() throws {
    let text = """
      <region> sample=sine.wav loop_mode=loop_continuous loop_start=0 loop_end=9599 cutoff=400
      pitcheg_attack=0.05 pitcheg_depth=1200 fileg_decay=0.1 fileg_sustain=20 fileg_depth=2400
      pitchlfo_freq=7 pitchlfo_depth=50 amplfo_freq=3 amplfo_depth=6 amplfo_delay=0.02
      """
    let now = try sfz.play(text, frames: 9600, [.on(60)])
    let later = try sfz.play("\(text) delay=0.1", frames: 14_400, [.on(60)])
    #expect(later[..<4800].allSatisfy { $0 == 0 })
    #expect(zip(now, later[4800...]).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  // MARK: - Tails

  /// `ones.wav` lasts for a second.
  @Test(arguments: [
    ("ampeg_release=2", 2.0), ("ampeg_release=1 ampeg_vel2release=1", 2),
    ("ampeg_release=1 ampeg_release_oncc20=1", 2), ("", 0), ("delay=9", 0),
  ]) func theTailIsTheLongestRelease(opcodes: String, release: Double) throws {
    for share in [Float(10), 100, 400] {
      let host = try sfz.host("<region> sample=ones.wav \(opcodes)", ["release": share])
      // To -60 dB.
      let expected: Double = release * Double(share) / 100 * 60 / 78.17
      #expect(abs(host.tailTime - expected) < 1e-5)
    }
  }

  @Test(
    arguments: [
      ("loop_mode=one_shot", 0, 32), ("loop_mode=one_shot key=36", 0, 1),
      ("loop_mode=one_shot lokey=36", 0, 4), ("loop_mode=one_shot lokey=60", -1200, 2),
      ("trigger=release key=60 delay=0.5 delay_random=0.25", 0, 1.75),
      ("trigger=release_key key=60 transpose=-12 end=23999", 0, 1),
      ("on_locc20=64 on_hicc20=127 pitch_keycenter=50 tune=-1200", 0, 2),
    ] as [(String, Float, Double)]) func whatPlaysToItsEndDoesNotHeedTheRelease(
      opcodes: String, tune: Float, seconds: Double
    )
    throws
  {
    for share in [Float(10), 100, 400] {
      let host = try sfz.host(
        "<region> sample=ones.wav \(opcodes)", ["release": share, "tune": tune])
      #expect(abs(host.tailTime - seconds) < 1e-5 * seconds)
    }
  }

  /// It sounds for as long as it says, and no longer.
  @Test func theTailEnds() throws {
    let host = try sfz.host(
      "<region> sample=steps.wav loop_mode=one_shot lokey=36 delay=0.01", ["release": 10])
    let output = host.render(frames: 6000, events: [.on(36), .off(36, at: 10)])[0]
    let end = Int(host.tailTime * 48_000)
    #expect(output[(end - 40)..<(end - 20)].allSatisfy { $0 > 0.9 })
    #expect(output[(end + 10)...].allSatisfy { $0 == 0 })
  }

  // MARK: - Steadiness

  @Test func aStolenVoiceFades() throws {
    let events = (0..<8).map { UnitHost.Event.on(UInt8(60 + $0), at: 1200 * $0) }
    let output = try sfz.play(SFZFolder.looped, frames: 12_000, events, ["polyphony": 1])
    // Two sines of 0.5 at most, of up to 750 Hz, and a fade of 4 ms.
    #expect(Signals.largestStep(output) < 0.11)
    #expect(abs((output.suffix(1000).max() ?? 0) - 0.5) < 0.01)
  }

  /// The louder of two notes that the pedal holds stays, whichever came first.
  @Test(arguments: [false, true]) func theFaintestMakesRoom(isLoudFirst: Bool) throws {
    let notes: [UnitHost.Event] =
      isLoudFirst
      ? [.on(60, 127, at: 9), .on(72, 30, at: 900)] : [.on(72, 30, at: 9), .on(60, 127, at: 900)]
    let events: [UnitHost.Event] =
      [.midi([0xB0, 64, 127], at: 0), .on(48, at: 1)] + notes + [.on(84, at: 4000)]
    let output = try sfz.play(SFZFolder.looped, frames: 14_400, events, ["polyphony": 3])
    let loud = SineFit(output[4800...], frequency: 500, sampleRate: 48_000)
    let faint = SineFit(output[4800...], frequency: 1000, sampleRate: 48_000)
    #expect(abs(loud.amplitude - 0.5) < 1e-3)
    #expect(faint.amplitude < 1e-3)
  }

  /// A voice that is released goes before all that are held, however loud it is.
  @Test func theReleasedMakesRoomFirst() throws {
    let text = "\(SFZFolder.looped) ampeg_release=100"
    let events: [UnitHost.Event] = [
      .on(48, 20, at: 0), .on(60, 20, at: 100), .on(72, at: 200), .midi([0x80, 72, 0], at: 300),
      .on(84, at: 4000),
    ]
    let output = try sfz.play(text, frames: 14_400, events, ["polyphony": 3])
    let released = SineFit(output[4800...], frequency: 1000, sampleRate: 48_000)
    let held = SineFit(output[4800...], frequency: 500, sampleRate: 48_000)
    #expect(released.amplitude < 1e-3)
    #expect(abs(held.amplitude - 0.5 * 400 / 16_129) < 1e-3)
  }

  @Test func anotherFileTakesOverWithoutAClick() throws {
    let host = try sfz.host(SFZFolder.looped)
    var output = host.render(frames: 4777, events: [.on(60)])[0]
    try sfz.load("<region> sample=ones.wav volume=-20", into: host)
    output += host.render(frames: 4000, events: [.on(62, at: 3000)])[0]
    #expect(Signals.largestStep(output[..<7777]) < 0.035)
    #expect(output[(4777 + 1200)..<7777].allSatisfy { $0 == 0 })
    #expect(abs((output.last ?? 0) - 0.05) < 1e-4)
    // What cannot be read leaves the former in place.
    #expect(throws: UnitHost.Refusal.self) {
      try host.setProperty("file", sfz.folder.path("none.sfz"))
    }
    #expect(abs(host.render(frames: 10)[0][0] - 0.05) < 1e-4)
  }

  @Test func doesNotDependOnTheLengthOfCycles() throws {
    let text = """
      <control> set_cc20=30
      <global> ampeg_release=0.1 bend_up=700 sample=sine.wav
      <group> hivel=80 loop_mode=loop_sustain loop_start=100 loop_end=133 loop_crossfade=0.0005
      <region> fil_type=bpf_2p cutoff=700 cutoff_cc20=2400 resonance=6 fileg_depth=1200 fileg_attack=0.02
      <group> lovel=81 group=1 off_by=1 pitchlfo_freq=7 pitchlfo_depth=50 amplfo_freq=3 amplfo_depth=6
      <region> hirand=0.5 offset_random=300 delay_random=0.01
      <region> lorand=0.5 loop_mode=loop_continuous loop_start=3 loop_end=20 polyphony=3
      """
    var random = Random(seed: 3)
    let events = (0..<80).map { index in
      let number = UInt8.random(in: 0...127, using: &random)
      let value = UInt8.random(in: 0...127, using: &random)
      let status: UInt8 = [0x90, 0x90, 0x80, 0xB0, 0xE0][index % 5]
      return UnitHost.Event.midi([status, status == 0xB0 ? 20 : number, value], at: 97 * index)
    }
    let whole = try sfz.host(text, channels: 2, ["polyphony": 6]).render(
      frames: 9000, blockSizes: [4096], events: events)
    for sizes in [[1], [7, 64, 33], [256]] {
      let host = try sfz.host(text, channels: 2, ["polyphony": 6])
      #expect(identical(host.render(frames: 9000, blockSizes: sizes, events: events), whole))
      host.reset()
      #expect(identical(host.render(frames: 9000, blockSizes: sizes, events: events), whole))
    }
  }
}
