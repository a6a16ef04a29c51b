import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The regions of an SFZ file that a note starts.
@Suite struct SamplerRegionTests {
  let sfz: SFZFolder

  init() throws { sfz = try SFZFolder() }

  /// What an offset moves off the keyboard is not played, and the rest is.
  @Test func offsetsMoveKeys() throws {
    let lower = """
      <control> note_offset=-12 <global> sample=ones.wav pitch_keytrack=0
      <region> lokey=0 hikey=c4 xfin_lokey=c3 xfin_hikey=c4 xf_keycurve=gain <region> key=11
      """
    let higher = """
      <control> octave_offset=1 <global> sample=ones.wav pitch_keytrack=0
      <region> lokey=60 hikey=127 <region> key=116 <region> lokey=120
      """
    func level(_ text: String, _ key: UInt8) throws -> Float {
      try sfz.play(text, frames: 100, [.on(key)])[50]
    }
    #expect(try level(lower, 0) == 0)
    #expect(abs(try level(lower, 42) - 0.25) < 1e-6)
    #expect(abs(try level(lower, 48) - 0.5) < 1e-6)
    #expect(try level(lower, 49) == 0)
    #expect(try level(higher, 71) == 0)
    #expect(abs(try level(higher, 72) - 0.5) < 1e-6)
    #expect(abs(try level(higher, 127) - 0.5) < 1e-6)
  }

  /// Levels of 0.5 times the amplitudes of the regions that sound just after each note.
  private func chosen(_ text: String, _ notes: [UnitHost.Event], at frames: [Int]) throws -> [Int] {
    let output = try sfz.play(text, frames: (frames.max() ?? 0) + 1, notes)
    return frames.map { Int((output[$0] * 200).rounded()) }
  }

  @Test func takesTurns() throws {
    let text = """
      <group> seq_length=3 sample=ones.wav ampeg_release=0 loop_mode=one_shot end=50
      <region> seq_position=1 amplitude=1 <region> seq_position=2 amplitude=2
      <region> seq_position=3 amplitude=3
      """
    let notes = (0..<5).map { UnitHost.Event.on(60, at: 100 * $0) }
    #expect(try chosen(text, notes, at: (0..<5).map { 100 * $0 + 20 }) == [1, 2, 3, 1, 2])
  }

  @Test func choosesAtRandomOneOfAll() throws {
    let text = """
      <group> sample=ones.wav loop_mode=one_shot end=50
      <region> hirand=0.3 amplitude=1 <region> lorand=0.3 hirand=0.6 amplitude=2
      <region> lorand=0.6 amplitude=4
      """
    let notes = (0..<60).map { UnitHost.Event.on(60, at: 100 * $0) }
    let found = try chosen(text, notes, at: (0..<60).map { 100 * $0 + 20 })
    #expect(Set(found) == [1, 2, 4])
  }

  @Test func keysAndControllersChoose() throws {
    let text = """
      <global> sample=ones.wav end=50 sw_lokey=24 sw_hikey=25 sw_default=24 lokey=40
      <region> sw_last=24 amplitude=1 <region> sw_last=25 amplitude=2
      <region> locc4=64 amplitude=4 <region> lovel=120 amplitude=8
      """
    let events: [UnitHost.Event] = [
      .on(60, 100), .on(25, at: 100), .on(60, 100, at: 200), .control(4, 64, at: 300),
      .on(60, 100, at: 400), .on(60, 120, at: 500),
    ]
    let soft: Float = 100 * 100 / (127 * 127)
    let output = try sfz.play(text, frames: 600, events)
    let found = [20, 120, 220, 420].map { Int((output[$0] * 200 / soft).rounded()) }
    #expect(found == [1, 0, 2, 6])
    #expect(abs(output[520] * 200 / (120 * 120 / (127 * 127.0)) - 14) < 0.01)
  }

  @Test func aReleaseStartsItsRegionsWhenThePedalIsUp() throws {
    let text = """
      <region> sample=ones.wav amplitude=10 ampeg_release=0
      <region> sample=ones.wav amplitude=20 trigger=release rt_decay=20 end=300
      """
    let events: [UnitHost.Event] = [
      .on(60), .control(64, 127, at: 100), .off(60, at: 200), .control(64, 0, at: 24_000),
    ]
    let output = try sfz.play(text, frames: 30_000, events)
    #expect(abs(output[20_000] - 0.05) < 1e-6)
    // Half a second at 20 dB a second; the first falls by 9 nepers in the 750 frames of the shortest.
    let fall: Float = exp(-9 * 299 / 750)
    #expect(abs(output[24_299] - 0.1 * 0.316228 - 0.05 * fall) < 1e-5)
    #expect(output[27_000] == 0)
  }

  @Test func aGroupEndsAnother() throws {
    let text = """
      <region> sample=ones.wav key=60 group=1 off_by=2 <region> sample=ones.wav key=62 group=2
      """
    let output = try sfz.play(text, frames: 2000, [.on(60), .on(62, at: 1000)])
    #expect(abs(output[999] - 0.5) < 1e-6)
    #expect(abs(output[1999] - 0.5) < 1e-6)
    #expect(Signals.largestStep(output[1001...]) < 0.002)
  }

  @Test func aGroupHasItsPolyphony() throws {
    let text = "<region> sample=ones.wav pitch_keytrack=0 polyphony=2 group=3"
    let output = try sfz.play(text, frames: 4000, [.on(60), .on(62, at: 1000), .on(64, at: 2000)])
    #expect(abs(output[1999] - 1) < 1e-6)
    #expect(abs(output[3999] - 1) < 1e-6)
  }

  /// One controller starts a region, and another only permits it.
  @Test func aPermittingControllerDoesNotStart() throws {
    let text = """
      <region> sample=ones.wav on_locc20=64 on_hicc20=127 locc1=64 hicc1=127 ampeg_release=0 end=50
      """
    let events: [UnitHost.Event] = [
      .control(20, 127), .control(1, 100, at: 100), .control(20, 0, at: 200),
      .control(20, 90, at: 300),
    ]
    #expect(try chosen(text, events, at: [20, 120, 220, 320]) == [0, 0, 0, 100])
  }

  /// What a file sets goes back as another takes over, but not what was moved since.
  @Test(arguments: [false, true]) func anotherFileBeginsWithItsOwnControllers(moved: Bool) throws {
    let host = try sfz.host("<control> set_cc20=127 set_cc21=127 <region> sample=ones.wav")
    if moved { _ = host.render(frames: 100, events: [.control(20, 100)]) }
    try sfz.load(
      "<control> set_cc21=64 <region> sample=ones.wav volume_oncc20=-12.7 volume_oncc21=-12.7",
      into: host)
    let output = host.render(frames: 4000, events: [.on(60, at: 2000)])[0]
    let expected: Float = moved ? -16.4 : -6.4
    #expect(abs(20 * log10((output.last ?? 0) / 0.5) - expected) < 1e-3)
  }

  /// A key that another file struck starts nothing of the new one's as it comes up.
  @Test func aReleaseIsOfTheFileThatWasStruck() throws {
    let text = "<region> sample=ones.wav trigger=release amplitude=50"
    let host = try sfz.host(text)
    _ = host.render(frames: 100, events: [.on(60)])
    try sfz.load(text, into: host)
    let output = host.render(
      frames: 1000, events: [.off(60, at: 100), .on(60, at: 400), .off(60, at: 600)])[0]
    #expect(output[..<600].allSatisfy { $0 == 0 })
    #expect(abs(output[700] - 0.25) < 1e-6)
  }

  /// One note starts at most 32 regions, of silence or of sound.
  @Test(arguments: [(31, Float(0.5)), (32, 0)]) func startsSoManyAtOnce(silent: Int, level: Float)
    throws
  {
    let silence = String(repeating: "<region> sample=*silence ", count: silent)
    let output = try sfz.play("\(silence) <region> sample=ones.wav", frames: 100, [.on(60)])
    #expect(abs(output[50] - level) < 1e-6)
  }
}
