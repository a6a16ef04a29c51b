import AudioUnits
import BacklineTestSupport
import Foundation
import RackEngine
import RackModel
import RackTestSupport
import Testing

/// Racks with offline effects, rendered; and offline effects from Swift.
@Suite struct OfflineEffectRackTests {
  private func rendered(
    _ plan: Plan, _ sound: [[Float]], length: Double? = nil
  ) throws -> [[Float]] {
    try OfflineRendering(plan, inputs: ["in": sound]) { $0.length = length }.output
  }

  @Test func reversedTwiceIsTheSoundItself() throws {
    let plan = try TestRacks.plan(
      channels: 2, units: "one: { unit: Reverse }\nother: { unit: Reverse }",
      "in -> one -> other -> out")
    let sound = [Signals.noise(frames: 30_000), Signals.noise(frames: 30_000, seed: 2)]
    #expect(firstDifference(try rendered(plan, sound), sound) == nil)
  }

  /// The signal before an offline effect is rendered with its tail, and without its latency.
  @Test func theSoundBeforeIsWhole() throws {
    let before = "echo: { unit: aufx/dely/bkln, parameters: { time: 100 ms, mix: 50 % } }\n"
    let limit = "limit: { unit: aufx/limt/bkln }\n"
    let sound = [Signals.noise(frames: 9600).map { 0.1 * $0 }]
    let plain = try rendered(
      try TestRacks.plan(units: before + limit, "in -> echo -> limit -> out"), sound)
    let backwards = try rendered(
      try TestRacks.plan(
        units: before + limit + "back: { unit: Reverse }", "in -> echo -> limit -> back -> out"),
      sound)
    #expect(plain[0].count > 9600)
    #expect(firstDifference(backwards, plain.map { Array($0.reversed()) }) == nil)
  }

  /// A path around an effect starts with the effect's output.
  @Test func cablesMayGoAround() throws {
    let plan = try TestRacks.plan(
      units: "back: { unit: Reverse }\nlevel: { unit: aufx/gain/bkln }",
      "in -> level -> back -> out", "level -> out", "in -> out")
    let sound = Signals.noise(frames: 4800)
    let output = try rendered(plan, [sound])[0]
    #expect(output.count == 4800)
    let expected = zip(sound, sound.reversed()).map { 2 * $0 + $1 }
    #expect(zip(output, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func lengthsChange() throws {
    let plan = try TestRacks.plan(
      units: """
        cut: { unit: Trim, parameters: { threshold: -40 dB, pad: 0 s } }
        slow: { unit: Stretch, parameters: { stretch: 200 % } }
        louder: { unit: aufx/gain/bkln, parameters: { gain: 6.0206 dB } }
        """, "in -> cut -> slow -> louder -> out")
    var sound = Signals.constant(0, frames: 48_000)
    sound.replaceSubrange(12_000..<24_000, with: Signals.constant(0.25, frames: 12_000))
    let output = try rendered(plan, [sound])[0]
    #expect(output.count == 24_000)
    #expect(output[6000..<18_000].allSatisfy { abs($0 - 0.5) < 0.01 })
  }

  /// `length` limits the inputs.
  @Test func theLengthCountsBeforeTheEffect() throws {
    let plan = try TestRacks.plan(
      units: "slow: { unit: Stretch, parameters: { stretch: 150 % } }", "in -> slow -> out")
    let output = try rendered(plan, [Signals.noise(frames: 96_000)], length: 1)
    #expect(output[0].count == 72_000)
  }

  /// A generator plays in the part where it is heard: here after the effect, in the time of the output.
  @Test func whatNothingFeedsPlaysWhereItIsHeard() throws {
    let plan = try TestRacks.plan(
      channels: 2,
      units: """
        slow: { unit: Stretch, parameters: { stretch: 200 % } }
        synth: { unit: aumu/sine/bkln }
        """, "in -> slow -> out", "synth -> out")
    let sound = Signals.sine(frequency: 440, amplitude: 0.1, frames: 24_000)
    #expect(try rendered(plan, [sound, sound])[0].count >= 48_000)
  }

  @Test func aBypassedEffectLetsTheSoundThrough() throws {
    let plan = try TestRacks.plan(
      units: "back: { unit: Reverse, bypass: true }", "in -> back -> out")
    let sound = [Signals.noise(frames: 5000)]
    #expect(try rendered(plan, sound) == sound)
  }

  @Test func modulationsAndLanesGoOnBehindAnEffect() throws {
    let plan = try TestRacks.plan(
      """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        back: { unit: Reverse }
        swing: { unit: augn/lfom/bkln }
        level: { unit: aufx/gain/bkln }
      connections: [ in -> back -> level -> out ]
      modulations: [ { from: swing, to: level.gain, depth: 0.5 % } ]
      automation:
        level.gain: [ 0 dB @ 0 s, -60 dB @ 0.5 s ]
      """)
    let output = try rendered(plan, [Signals.constant(0.5, frames: 48_000)])[0]
    #expect(output[10] > 0.45 && output[40_000] < 0.001)
  }

  @Test func nothingLeftIsAnError() throws {
    let plan = try TestRacks.plan(units: "cut: { unit: Trim }", "in -> cut -> out")
    #expect {
      try rendered(plan, [Signals.constant(0, frames: 4800)])
    } throws: { "\($0)" == "unit cut: nothing of the sound is left" }
  }

  @Test func anEffectThatNobodyHearsIsNotRendered() throws {
    let plan = try TestRacks.plan(
      units: "cut: { unit: Trim }\nback: { unit: Reverse }", "in -> back -> out", "in -> cut")
    let silence = [Signals.constant(0, frames: 4800)]
    #expect(try rendered(plan, silence) == silence)
  }

  @Test func noFileIsLeftBehind() throws {
    let folder = try TemporaryFolder()
    let plan = try TestRacks.plan(units: "back: { unit: Reverse }", "in -> back -> out")
    var job = OfflineJob()
    job.inputs["in"] = try SoundFile(
      sampleRate: 48_000, channels: [Signals.noise(frames: 200_000)]
    ).write(folder.path("in.wav"))
    job.outputs["out"] = folder.path("out.wav")
    struct Stop: Error {}
    let renderer = try OfflineRenderer(plan, catalogue: TestRacks.catalogue, job: job)
    #expect(throws: Stop.self) {
      try renderer.render { share in if share > 0.5 { throw Stop() } }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in.wav"])
  }

  @Test func racksOfThemCannotPlayBlockByBlock() throws {
    let plan = try TestRacks.plan(units: "back: { unit: Reverse }", "in -> back -> out")
    #expect {
      try RackRenderer(plan, catalogue: TestRacks.catalogue)
    } throws: { "\($0)".hasPrefix("unit back: is an offline effect") && "\($0)".contains("render") }
  }

  // MARK: - From Swift

  @Test func swiftRendersWholeSounds() async throws {
    let unit = try await AudioUnit.instantiate(
      UnitReference("Stretch"), catalogue: TestRacks.catalogue)
    unit.parameterTree.parameter(atKeyPath: "stretch")?.setValue(150)
    let sound = AudioPCMBuffer([Signals.noise(frames: 10_000)], sampleRate: 44_100)
    let output = try unit.renderOffline(sound)
    #expect(output.frameLength == 15_000 && output.format == sound.format)
    #expect(throws: AudioUnitError.self) { try unit.allocateRenderResources() }
    let gain = try await AudioUnit.instantiate(
      UnitReference("Gain"), catalogue: TestRacks.catalogue)
    #expect(throws: AudioUnitError.self) { try gain.renderOffline(sound) }
  }

  @Test func swiftReadsWhatAnEffectHasFound() async throws {
    let unit = try await AudioUnit.instantiate(
      UnitReference("Normalise"), catalogue: TestRacks.catalogue)
    let tree = unit.parameterTree
    tree.parameter(atKeyPath: "by")?.setValue(0)
    tree.parameter(atKeyPath: "peak")?.setValue(0)
    let sound = AudioPCMBuffer([Signals.constant(0.5, frames: 4800)], sampleRate: 48_000)
    let output = try unit.renderOffline(sound).channels[0]
    #expect(output.allSatisfy { abs($0 - 1) < 1e-6 })
    let gain = try #require(tree.parameter(atKeyPath: "gain"))
    #expect(abs(gain.value - 6.0206) < 1e-3)
  }
}
