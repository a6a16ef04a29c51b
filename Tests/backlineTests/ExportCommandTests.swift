import BacklineTestSupport
import Foundation
import Testing

/// `backline export-lv2`, and its plug-ins in other hosts.
@Suite(
  .serialized, .disabled(if: isSanitized, "the plug-ins' library is linked without a sanitizer"))
struct ExportCommandTests {
  let folder: TemporaryFolder
  private let noise: [[Float]]

  init() throws {
    _ = try ExportedPlugIn.library.get()
    folder = try TemporaryFolder()
    let sound = SoundFile.noise(frames: 24_000, channels: 2)
    noise = sound.channels.map { $0.map { 0.3 * $0 } }
    _ = try SoundFile(sampleRate: 48_000, channels: noise).write(folder.path("stereo.wav"))
    _ = try SoundFile(sampleRate: 48_000, channels: [noise[0]]).write(folder.path("mono.wav"))
  }

  /// Runs a command line that finds only the exported plug-ins, of which the machine may have many others.
  func shell(_ line: String) throws -> Program.Result {
    try WritingAUnitTests.shell(
      "export LV2_PATH=\"$PWD\" LADSPA_PATH=\"$PWD\"; \(line)", in: folder)
  }

  /// Runs a command line; fails with the command's errors.
  func run(_ line: String) throws {
    let result = try shell(line)
    try #require(result.status == 0, "\(line): \(result.errors)")
  }

  private func sound(_ file: String) throws -> [[Float]] {
    try SoundFile(reading: folder.path(file)).channels
  }

  func plugIn(
    _ uri: String, file: String, hasFeatures: Bool = false
  ) throws -> ExportedPlugIn {
    let plugIn = try ExportedPlugIn(
      uri, in: folder.path("out.lv2"), file: file, hasFeatures: hasFeatures)
    if !hasFeatures { plugIn.activate() }
    return plugIn
  }

  private func lateness(of uri: String, file: String) throws -> Int {
    let plugIn = try plugIn(uri, file: file)
    _ = plugIn.render(noise, blocks: [64])
    return Int(plugIn["latency"])
  }

  static let hasLV2Apply = FileManager.default.isExecutableFile(
    atPath: "/usr/bin/lv2apply")
  private static let hasValidator = FileManager.default.isExecutableFile(
    atPath: "/usr/bin/sord_validate")

  /// lv2apply runs a plug-in a frame at a time, and `backline render` in blocks of 512.
  @Test(
    .enabled(if: hasLV2Apply),
    arguments: [
      ("aufx/dely/bkln", "-c time 0.1 -c feedback 60", "--set time=0.1s --set feedback=60%"),
      ("aufx/limt/bkln", "", ""), ("aufx/rvrb/bkln", "-c mix 70", "--set mix=70%"),
    ])
  func aUnitSoundsInAnotherHostAsHere(unit: String, controls: String, settings: String) throws {
    let uri = "urn:backline:\(unit):stereo"
    let file = "\(unit.replacingOccurrences(of: "/", with: "-"))-stereo.ttl"
    try run("backline export-lv2 \(unit) --out out.lv2")
    try run("lv2apply \(controls) -i stereo.wav -o theirs.wav \(uri)")
    try run("backline render --unit \(unit) \(settings) stereo.wav ours.wav --length 0.5")
    let late = try lateness(of: uri, file: file)
    #expect((late > 0) == (unit == "aufx/limt/bkln"))
    let theirs = try sound("theirs.wav").map { Array($0.dropFirst(late)) }
    let ours = try sound("ours.wav").map { Array($0.dropLast(late)) }
    #expect(ours[0].contains { $0.magnitude > 0.1 })
    #expect(firstDifference(theirs, ours) == nil)
  }

  @Test(.enabled(if: hasLV2Apply)) func aRackSoundsInAnotherHostAsHere() throws {
    try run("backline export-lv2 dalek-voice --expose ring.frequency --out out.lv2")
    try run("lv2apply -i mono.wav -o theirs.wav urn:backline:rack:dalek-voice")
    try run("backline render dalek-voice --in mic=mono.wav --out main=ours.wav --length 0.5")
    #expect(try firstDifference(sound("theirs.wav"), sound("ours.wav")) == nil)
    try run(
      "lv2apply -c ring_frequency 300 -i mono.wav -o theirs.wav urn:backline:rack:dalek-voice")
    #expect(try firstDifference(sound("theirs.wav"), sound("ours.wav")) != nil)
  }

  @Test(.enabled(if: hasLV2Apply)) func aUnitOfABundleTakesItsCodeAlong() throws {
    let bundle = try TestBundle("Mine", in: folder.url.path)
    try run(
      "backline export-lv2 ./Mine.unit --license http://opensource.org/licenses/ISC --out out.lv2")
    try run("backline render --unit ./Mine.unit stereo.wav ours.wav --length 0.5")
    try FileManager.default.removeItem(atPath: bundle.path)
    try run("lv2apply -i stereo.wav -o theirs.wav urn:backline:aufx/tmpl/Demo:stereo")
    #expect(try firstDifference(sound("theirs.wav"), sound("ours.wav")) == nil)
    let text = try text("out.lv2/aufx-tmpl-Demo-stereo.ttl")
    #expect(text.contains("doap:license <http://opensource.org/licenses/ISC>"))
  }

  /// A feedback cable, which is as late as with `backline render`; a file; automation, which the
  /// host has; MIDI that moves a control.
  @Test func aRackTakesItsFilesCablesAndControlsAlong() throws {
    let rack = """
      rack: whole
      inputs: { in: { channels: 2 }, keys: { midi: true } }
      outputs: { main: { channels: 2 } }
      units:
        echo: { unit: aufx/dely/bkln, parameters: { time: 1 ms, feedback: 0 %, level: -6 dB } }
        ring: { unit: aufx/ring/bkln, parameters: { mix: 50 % } }
        room: { unit: aufx/conv/bkln, properties: { file: room.flac } }
      connections: [ in -> echo -> room -> main, echo ~> ring -> echo ]
      controls: [ { from: keys cc 7, to: ring.mix } ]
      automation: { echo.mix: [ 10 % @ 0 s, 60 % @ 1 s ] }
      """
    let response = Program.racks.appendingPathComponent("sounds/small-room.flac")
    try FileManager.default.copyItem(at: response, to: folder.url.appending(path: "room.flac"))
    _ = try folder.write("whole.yaml", bytes: Array(rack.utf8))
    let result = try shell("backline export-lv2 whole.yaml --out out.lv2")
    #expect(result.status == 0 && result.errors.contains("its automation is left out"))
    try run("sed '/^automation/d' whole.yaml > same.yaml")
    try run("backline render same.yaml --in in=stereo.wav --out main=ours.wav --length 0.5")
    try run("rm room.flac")
    func play(_ control: UInt8? = nil) throws -> [[Float]] {
      let whole = try plugIn(
        "urn:backline:rack:whole", file: "rack-whole.ttl", hasFeatures: true)
      whole.activate()
      if let control { _ = try whole.run(64, [.midi([0xB0, 7, control])], at: "keys") }
      return whole.render(noise, blocks: [512])
    }
    #expect(try firstDifference(play(), sound("ours.wav")) == nil)
    #expect(try firstDifference(play(127), sound("ours.wav")) != nil)
  }

  @Test func everyBlockLengthInPlaceGivesTheSameSound() throws {
    try run("backline export-lv2 clean-guitar aufx/dely/bkln --out out.lv2")
    for (uri, file) in [
      ("urn:backline:rack:clean-guitar", "rack-clean-guitar.ttl"),
      ("urn:backline:aufx/dely/bkln:stereo", "aufx-dely-bkln-stereo.ttl"),
    ] {
      func render(_ blocks: [Int]) throws -> [[Float]] {
        try plugIn(uri, file: file)
          .render(noise, blocks: blocks)
      }
      let whole = try render([24_000])
      try run(
        uri.hasSuffix("guitar")
          ? "backline render clean-guitar --in guitar=mono.wav --out main=ours.wav --length 0.5"
          : "backline render --unit aufx/dely/bkln stereo.wav ours.wav --length 0.5")
      let late = try lateness(of: uri, file: file)
      let ours = try sound("ours.wav").map { Array($0.dropLast(late)) }
      #expect(firstDifference(whole.map { Array($0.dropFirst(late)) }, ours) == nil)
      #expect(whole[0].contains { $0.magnitude > 0.05 })
      for blocks in [[64], [1, 0, 7, 512, 0, 3000]] {
        #expect(try firstDifference(render(blocks), whole) == nil, "\(uri) \(blocks)")
      }
    }
  }

  @Test func aPlugInThatIsNotEnabledPlaysItsInputAsLate() throws {
    try run("backline export-lv2 aufx/limt/bkln --out out.lv2")
    let plugIn = try plugIn(
      "urn:backline:aufx/limt/bkln:stereo", file: "aufx-limt-bkln-stereo.ttl")
    plugIn["gain"] = 12
    let wet = plugIn.render(noise, blocks: [64])
    plugIn["enabled"] = 0
    let out = plugIn.render(noise, blocks: [64])
    let late = Int(plugIn["latency"])
    #expect(late > 0)
    // 20 ms at 48 kHz.
    for channel in 0..<2 {
      let faded = out[channel][1000...]
      #expect(faded.elementsEqual(noise[channel][(1000 - late)..<(24_000 - late)]))
      let step = abs(out[channel][0] - wet[channel][23_999])
      #expect(step < 1.5)
    }
    plugIn["enabled"] = 0
    let faulty = [[Float]](repeating: [.nan, .infinity] + noise[0].dropFirst(2), count: 2)
    #expect(plugIn.render(faulty, blocks: [64])[0].allSatisfy { $0.isFinite })
    plugIn["enabled"] = 1
    let back = plugIn.render(noise, blocks: [64])
    #expect(!back[0][1000...].elementsEqual(noise[0][(1000 - late)..<(24_000 - late)]))
  }

  @Test(.enabled(if: hasValidator)) func theDescriptionsAreValid() throws {
    let words = """
      aufx/dely/bkln aufx/cmpr/bkln aumx/mixr/bkln aumu/sine/bkln aumi/arpg/bkln aufx/conv/bkln \
      aufx/loop/bkln augn/play/bkln clean-guitar loop-station
      """
    try run("backline export-lv2 \(words) --out out.lv2")
    let verdict = try shell("lv2_validate out.lv2/*.ttl")
    #expect(verdict.status == 0 && (verdict.output + verdict.errors).contains("Found 0 errors"))
    try run(
      "sed -i 's/lv2:index 0/lv2:index \"none\"/' out.lv2/aufx-dely-bkln-stereo.ttl")
    let wrong = try shell("lv2_validate out.lv2/*.ttl")
    #expect(!(wrong.output + wrong.errors).contains("Found 0 errors"))
  }

  @Test(.enabled(if: hasLV2Apply)) func presetsComeAlongAndScenesAreSome() throws {
    try run("backline export-lv2 aufx/dely/bkln clean-guitar --out out.lv2")
    let delay = try shell("LV2_PATH=$PWD:/usr/lib/lv2 lv2info urn:backline:aufx/dely/bkln:mono")
    #expect(delay.output.contains("Slapback") && delay.output.contains("Delay Plugin"))
    let guitar = try shell("lv2info urn:backline:rack:clean-guitar")
    #expect(guitar.output.contains("tune") && guitar.output.contains("tuner_mute"))
    // A scene sets its own values, a preset of a unit all.
    try run("backline export-lv2 clean-guitar --expose amp.drive --out guitar.lv2")
    let scenes = try text("guitar.lv2/rack-clean-guitar.presets.ttl")
    #expect(scenes.contains("\"tuner_mute\"") && !scenes.contains("amp_drive"))
    let slapback = try text("out.lv2/aufx-dely-bkln.presets.ttl")
    #expect(slapback.contains("\"diffusion\""))
  }

  @Test(arguments: [
    ("dalek-voice --expose ring.frequenzy --out a.lv2", "did you mean “frequency”?"),
    ("dalek-voice --expose rang.frequency --out a.lv2", "did you mean “ring”?"),
    ("aufx/dely/bkln --expose a.b --out a.lv2", "--expose is for one rack"),
    ("aufx/dely/bkln --out .", "it has other files"),
    ("aufx/dely/bknl --out a.lv2", "did you mean “aufx/dely/bkln”?"),
    ("clean-guitr --out a.lv2", "did you mean “clean-guitar”?"),
    (". --out a.lv2", "there is no unit and no rack “.”"),
    ("evening --out a.lv2", "this is a set list, not a rack"),
    ("none.yaml --out a.lv2", "none.yaml:1:1: error: cannot be read: No such file"),
    ("wrong.yaml --out a.lv2", "wrong.yaml:5:"),
    ("aufx/dely/bkln --out mono.wav", "mono.wav: "),
    ("aufx/dely/bkln --out mono.wav/a.lv2", "Not a directory"),
    ("aufx/dely/bkln --out /proc/a.lv2", "/proc/a.lv2: "),
    ("aufx/dely/bkln", "--out"),
    ("aufx/dely/bkln --uri mine --out a.lv2", "--uri “mine” is no URI"),
    ("aufx/dely/bkln --license 'urn:a b' --out a.lv2", "--license “urn:a b” is no URI"),
  ])
  func whatCannotBeExportedIsExplained(words: String, reason: String) throws {
    let wrong = """
      rack: wrong
      inputs: { in: {} }
      outputs: { main: {} }
      units:
        echo: { unit: aufx/dely/bkln, parameters: { tim: 1 s } }
      connections: [ in -> echo -> main ]
      """
    _ = try folder.write("wrong.yaml", bytes: Array(wrong.utf8))
    let result = try shell("backline export-lv2 \(words)")
    #expect(result.status != 0 && result.errors.contains(reason), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.lv2")))
  }

  @Test func anEarlierExportIsReplacedAsAWhole() throws {
    try run("backline export-lv2 aufx/dely/bkln aufx/conv/bkln --out 'lv2/my out.lv2/'")
    try run("backline export-lv2 aufx/ring/bkln --out 'lv2/my out.lv2'")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("lv2/my out.lv2"))
    #expect(names.contains("aufx-ring-bkln-mono.ttl"))
    #expect(!names.contains { $0.contains("dely") || $0.contains("conv") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("lv2")).count == 1)
    try run("touch 'lv2/my out.lv2/mine.wav'")
    let result = try shell("backline export-lv2 aufx/ring/bkln --out 'lv2/my out.lv2'")
    #expect(result.status == 1 && result.errors.contains("it has other files"))
  }

  @Test(arguments: [0, -1, 1e30, .nan, .infinity])
  func aSampleRateThatIsNoneIsRefused(rate: Double) throws {
    try run("backline export-lv2 aufx/dely/bkln --out out.lv2")
    #expect(throws: ExportedPlugIn.Refused.self) {
      try ExportedPlugIn(
        "urn:backline:aufx/dely/bkln:stereo", in: folder.path("out.lv2"),
        file: "aufx-dely-bkln-stereo.ttl", sampleRate: rate)
    }
  }

  /// A matrix with line breaks, a name with a dash and one with an underscore.
  @Test func namesAndTextsMayHaveAnyCharacters() throws {
    for name in ["a-\u{e9}", "a_\u{e9}"] {
      let rack = """
        rack: "\(name)"
        inputs: { in: { channels: 2 } }
        outputs: { main: { channels: 2 } }
        units:
          swap: { unit: aufc/chan/bkln, channels: 2, parameters: { mode: Matrix }, properties: { matrix: "0 1;\\n 1 0" } }
        connections: [ in -> swap -> main ]
        scenes: { "\(name) \\"1\\"": { swap.level: -3 dB } }
        """
      _ = try folder.write("\(name).yaml", bytes: Array(rack.utf8))
    }
    try run("backline export-lv2 a-\u{e9}.yaml a_\u{e9}.yaml --out out.lv2")
    for name in ["a-%C3%A9", "a_%C3%A9"] {
      let file = "rack-\(name.replacingOccurrences(of: "%", with: "-")).ttl"
      let out = try plugIn("urn:backline:rack:\(name)", file: file).render(noise, blocks: [64])
      #expect(firstDifference(out, [noise[1], noise[0]]) == nil)
      let presets = file.replacingOccurrences(of: ".ttl", with: ".presets.ttl")
      #expect(try text("out.lv2/\(presets)").contains("urn:backline:rack:\(name)>"))
    }
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: folder.path(file), encoding: .utf8)
  }

  @Test func aUnitThatMustHaveAProcessIsRefused() throws {
    _ = try TestBundle(
      "Apart", in: folder.url.path,
      manifest: { $0.replacingOccurrences(of: "in_process: true", with: "in_process: false") })
    let result = try shell("backline export-lv2 ./Apart.unit --out a.lv2")
    #expect(result.status == 1 && result.errors.contains("in_process: true in its unit.yaml"))
    let rack = """
      rack: apart
      inputs: { in: { channels: 2 } }
      outputs: { main: { channels: 2 } }
      units: { one: { unit: ./Apart.unit } }
      connections: [ in -> one -> main ]
      """
    _ = try folder.write("apart.yaml", bytes: Array(rack.utf8))
    let same = try shell("backline export-lv2 apart.yaml --out a.lv2")
    #expect(same.status == 1 && same.errors.contains("in_process: true in its unit.yaml"))
  }

  /// The convolver's file: restored, set by a message while it runs, and saved.
  @Test func aTextIsAPartOfTheState() throws {
    let uri = "urn:backline:aufx/conv/bkln"
    let key = "\(uri)#file"
    let response = Program.racks.appendingPathComponent("sounds/cabinet-open.flac").path
    func convolver() throws -> ExportedPlugIn {
      let made = try plugIn(
        "\(uri):stereo", file: "aufx-conv-bkln-stereo.ttl", hasFeatures: true)
      made["mix"] = 100
      return made
    }
    try run("backline export-lv2 aufx/conv/bkln --out out.lv2")
    try run(
      "backline render --unit aufx/conv/bkln --set mix=100% stereo.wav plain.wav --length 0.5")
    let plain = try convolver()
    plain.activate()
    #expect(try firstDifference(plain.render(noise, blocks: [64]), sound("plain.wav")) == nil)
    _ = try plain.run(64, [.setting(key, to: response)], at: "time")
    try plain.save()
    let path = LV2HostFeatures.number("http://lv2plug.in/ns/ext/atom#Path")
    let saved = LV2HostFeatures.stored.withLock { $0[LV2HostFeatures.number(key)] }
    #expect(saved?.text == response && saved?.type == path)
    #expect(try firstDifference(plain.render(noise, blocks: [64]), sound("plain.wav")) != nil)

    let rack = """
      rack: room
      inputs: { in: { channels: 2 } }
      outputs: { main: { channels: 2 } }
      units: { room: { unit: aufx/conv/bkln, properties: { file: "\(response)" }, parameters: { mix: 100 % } } }
      connections: [ in -> room -> main ]
      """
    _ = try folder.write("room.yaml", bytes: Array(rack.utf8))
    try run("backline render room.yaml --in in=stereo.wav --out main=ours.wav --length 0.5")
    let restored = try convolver()
    try restored.restore()
    restored.activate()
    #expect(try firstDifference(restored.render(noise, blocks: [64]), sound("ours.wav")) == nil)
    // A preset without a file leaves the file as it is.
    LV2HostFeatures.stored.withLock { $0 = [:] }
    try restored.restore()
    try restored.save()
    #expect(LV2HostFeatures.stored.withLock { $0[LV2HostFeatures.number(key)] }?.text == response)
  }

  /// The frames of a file, which a thread reads, arrive in time also in a host that renders faster than the
  /// thread.
  @Test func aHostThatRendersAsFastAsItCanWaitsForFiles() throws {
    let frames = 20 * 48_000
    let rack = """
      rack: drums
      outputs: { main: { channels: 2 } }
      units: { drums: { unit: augn/play/bkln, properties: { file: drums.flac } } }
      connections: [ drums -> main ]
      """
    _ = try folder.write("drums.yaml", bytes: Array(rack.utf8))
    let loop = Program.racks.appendingPathComponent("sounds/drum-loop.flac")
    try FileManager.default.copyItem(at: loop, to: folder.url.appending(path: "drums.flac"))
    try run("backline export-lv2 drums.yaml --out out.lv2")
    try run("backline render drums.yaml --out main=ours.wav --length 20")
    let drums = try plugIn("urn:backline:rack:drums", file: "rack-drums.ttl")
    drums["freewheeling"] = 1
    let theirs = drums.render([], frames: frames, blocks: [frames])
    #expect(try firstDifference(theirs, sound("ours.wav")) == nil)
  }

  /// A note sounds from its frame on, as in `backline render`.
  @Test func anInstrumentPlaysTheNotesOfItsHost() throws {
    try run("backline export-lv2 small-synth --out out.lv2")
    let synth = try plugIn(
      "urn:backline:rack:small-synth", file: "rack-small-synth.ttl", hasFeatures: true)
    synth.activate()
    let sound = try synth.run(3000, [.midi([0x90, 69, 100], at: 1500)], at: "keys").sound
    #expect(sound.count == 2 && sound[0][..<1500].allSatisfy { $0 == 0 })
    #expect(sound[0][1500...].contains { $0.magnitude > 0.001 })
    let after = try synth.run(24_000, [.midi([0x80, 69, 0])], at: "keys").sound
    #expect(after[0][..<1000].contains { $0.magnitude > 0.001 })
    #expect(after[0].suffix(1000).allSatisfy { $0.magnitude < 0.05 })
  }

  /// At 240 beats a minute an arpeggio has twice the notes that it has at 120.
  @Test func midiGoesOutInTheTempoOfTheHost() throws {
    try run("backline export-lv2 aumi/arpg/bkln --out out.lv2")
    func notes(tempo: Float) throws -> [Int] {
      let arpeggiator = try plugIn(
        "urn:backline:aumi/arpg/bkln:midi", file: "aumi-arpg-bkln-midi.ttl", hasFeatures: true)
      arpeggiator.activate()
      let chord: [LV2HostFeatures.Event] = [60, 64, 67].map { .midi([0x90, $0, 100]) }
      let messages = try arpeggiator.run(
        48_000, [.position(tempo: tempo)] + chord, at: "midi_in", to: "midi_out"
      ).messages
      return messages.filter { $0.bytes[0] == 0x90 && $0.bytes[2] > 0 }.map(\.frame)
    }
    let (slow, fast) = (try notes(tempo: 120), try notes(tempo: 240))
    #expect(slow.count >= 4 && fast.count == 2 * slow.count, "\(slow) \(fast)")
    #expect(zip(slow, slow.dropFirst()).allSatisfy { $1 - $0 == slow[1] - slow[0] })
  }

  /// The dry path of a rack is delayed again when a compressor starts to look ahead.
  @Test func aRackIsAlignedAnewWhenALatencyChanges() throws {
    let rack = """
      rack: parallel
      inputs: { in: { channels: 2 } }
      outputs: { main: { channels: 2 } }
      units:
        squash: { unit: aufx/cmpr/bkln, parameters: { ratio: 1, look_ahead: 0 ms } }
        dry: { unit: aufx/gain/bkln }
      connections: [ in -> squash -> main, in -> dry -> main ]
      """
    _ = try folder.write("parallel.yaml", bytes: Array(rack.utf8))
    try run("backline export-lv2 parallel.yaml --expose squash.look_ahead --out out.lv2")
    let parallel = try plugIn(
      "urn:backline:rack:parallel", file: "rack-parallel.ttl", hasFeatures: true)
    parallel.activate()
    _ = parallel.render(noise, blocks: [64])
    #expect(parallel["latency"] == 0)
    parallel["squash_look_ahead"] = 5
    LV2HostFeatures.hasRoom.withLock { $0 = false }
    _ = try parallel.run(2400, [], at: "time")
    LV2HostFeatures.hasRoom.withLock { $0 = true }
    // The blocks cover the change, its preparation, and the crossfade to the other delays.
    for _ in 0..<3 { _ = try parallel.run(2400, [], at: "time") }
    #expect(parallel["latency"] == 240)
    let out = parallel.render(noise, blocks: [64])
    let twice = noise[0].map { 2 * $0 }
    #expect(zip(out[0][480...], twice[240...]).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
